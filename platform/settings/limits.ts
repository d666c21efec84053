import type { Settings } from './setting.ts'

/** Node's timers and sizes take no more. */
const MOST = 2 ** 31 - 1
const A_DAY_IN_SECONDS = 86_400

/** A positive whole number. */
const limit = (standard: number, meaning: string, bounds: object = {}) => ({
  schema: { type: 'integer' as const, minimum: 1, maximum: MOST, ...bounds, default: standard },
  meaning,
})

/** Limits that protect the product. Their defaults suit most installations. */
export const LIMITS = {
  HTTP_MAX_REQUESTS: limit(
    5_000,
    'Maximum number of requests in flight, waiting ones and streams included. A request whose client closes the connection counts until its work ends: the client may still read. Beyond it: 503 and `Retry-After`.',
  ),
  HTTP_MAX_QUERIES: limit(
    500,
    'Maximum number of queries that run at the same time, over REST and GraphQL. Beyond it: 503 and `Retry-After`.',
  ),
  HTTP_MAX_CONNECTIONS: limit(
    10_000,
    'Maximum number of open connections, WebSockets included. Further ones get 503 and are closed, or are closed at once in a flood.',
  ),
  HTTP_MAX_HEADER_BYTES: limit(
    16_384,
    'Maximum bytes of the headers of a request, its URL included.',
    { maximum: 2 ** 24 },
  ),
  HTTP_HEADERS_TIMEOUT_SECONDS: limit(
    15,
    'Seconds in which the headers of a request must arrive.',
    { maximum: A_DAY_IN_SECONDS },
  ),
  HTTP_REQUEST_TIMEOUT_SECONDS: limit(
    300,
    'Seconds in which a whole request must arrive. Its response may take longer.',
    { maximum: A_DAY_IN_SECONDS },
  ),
  HTTP_KEEP_ALIVE_SECONDS: limit(
    65,
    'Seconds for which a connection without a request stays open. Give balancers less: one that sends a request over a connection that closes answers 502. Most keep connections for 60.',
    { maximum: A_DAY_IN_SECONDS },
  ),
  OPERATION_MAX_BYTES: limit(
    1024 * 1024,
    'Maximum bytes of a GraphQL request or WebSocket message (64 KiB without permissions; over WebSocket, code 1009). Larger sets of events go to `POST /v1/events`.',
  ),
  OPERATION_MAX_TOKENS: limit(15_000, 'Maximum number of tokens in a GraphQL document.'),
  OPERATION_MAX_DEPTH: limit(
    20,
    'Maximum depth of fields in an operation. Here and below, fragments count wherever they are spread.',
  ),
  OPERATION_MAX_FIELDS: limit(5_000, 'Maximum number of fields in an operation.'),
  OPERATION_MAX_ALIASES: limit(100, 'Maximum number of aliases in an operation.'),
  OPERATION_MAX_ROOT_FIELDS: limit(50, 'Maximum number of root fields in an operation.'),
  OPERATION_MAX_DIRECTIVES: limit(100, 'Maximum number of directives in an operation.'),
  OPERATION_MAX_COST: limit(
    50_000,
    'Maximum number of objects that an operation may read: pages count their size, `nodes` its ids, lists without pages 10, a mutation 10.',
  ),
  OPERATION_MAX_RESPONSE: limit(
    33_554_432,
    'Maximum characters of the response to an operation, and of an event; a text or an error counts wherever the response has it. Also the bytes that the body of one response of a subgraph may have. Beyond it: `OPERATION_LIMIT_EXCEEDED` (400 over REST). Stand-alone gateway and subgraphs each have their own. By default it is 16 times `PAGE_BYTES`: raise both.',
    { minimum: 65_536, maximum: 2 ** 28 },
  ),
  OPERATION_MAX_PATHS: limit(
    1_000,
    'Maximum number of query-plan alternatives considered per field; bounds planning time.',
  ),
  OPERATION_PLAN_MS: limit(
    2_000,
    'Processor time, in ms, for planning one operation in its own process, after the planner is built. A refusal is remembered for a minute. Operations that wait take turns by caller: 100 of one, 300 of all; beyond that `OVERLOADED`.',
  ),
  MCP_MAX_CALLS: limit(
    16,
    'Maximum number of MCP tools that run at the same time in a process. Others wait, and callers take turns; a tool that waits for half of `MCP_TOOL_SECONDS` returns an error that says when to call again.',
  ),
  MCP_TOOL_SECONDS: limit(
    30,
    'Seconds that an MCP tool may take. Clients give up after 60 by default, without a reason.',
    { maximum: 55 },
  ),
  MCP_MAX_RESULT: limit(
    32_000,
    'Maximum characters of the result of an MCP tool. Longer texts and lists are cut, and the result says how to read on.',
    { minimum: 10_000, maximum: 10_000_000 },
  ),
  PLAN_CACHE_SIZE: limit(
    1_000,
    'Number of operations that a gateway keeps planned; fewer where they have more than 100 fields on average.',
    { maximum: 1_000_000 },
  ),
  SUBSCRIPTION_BUFFER_BYTES: limit(
    1_048_576,
    'Buffer of a subscriber: bytes of events, and of responses over WebSocket. A slower one is disconnected (code 1013) and resumes from its last cursor.',
  ),
  SUBSCRIPTION_STALL_MS: limit(
    10_000,
    'Grace period for a slow subscriber, in ms. With a full buffer for longer than this, it is disconnected.',
    { maximum: 3_600_000 },
  ),
  SUBSCRIPTION_MAX_PER_SOCKET: limit(
    500,
    'Maximum number of open subscriptions of one WebSocket. Beyond it: `OVERLOADED` with `retryAfterSeconds`; clients complete some, or open another WebSocket.',
    { maximum: 1_000_000 },
  ),
  SUBSCRIPTION_KEEP_ALIVE_MS: limit(
    12_000,
    'Interval of keep-alive messages on a quiet stream, in ms.',
    {
      maximum: 3_600_000,
    },
  ),
  CONNECTION_INIT_TIMEOUT_MS: limit(
    3_000,
    'Time for a client to initialise its WebSocket, in ms. Beyond it: code 4408.',
    { maximum: 3_600_000 },
  ),
  // With the 15 s for which a sign-in counts as known, a revocation is noticed within a minute.
  SIGN_IN_RECHECK_SECONDS: limit(
    20,
    'Seconds between two checks of the sign-in of an open stream.',
    {
      maximum: 30,
    },
  ),
  SIGN_IN_GRACE_SECONDS: {
    schema: { type: 'integer', minimum: 2, maximum: 45, default: 40 },
    meaning:
      'Seconds for which a stream continues while its sign-in cannot be checked. With both maximums a revoked sign-in ends its streams within 60 s.',
  },
  OPEN_CALLBACKS_PER_MINUTE: limit(
    20,
    'Maximum number of executions with a `callbackUrl` that callers without a sign-in may start in a minute, for each client address, where users sign in. Beyond it: 429.',
    { maximum: 100_000 },
  ),
  EVENTS_BODY_BYTES: limit(
    33_554_432,
    'Maximum bytes of a body of events, inflated. Beyond it: 413.',
    {
      maximum: 2 ** 28,
    },
  ),
  EVENTS_CALL_EVENTS: limit(
    100_000,
    'Maximum number of events in one body, counted while it arrives. Beyond it: 413.',
    { maximum: 10_000_000 },
  ),
  IMPORT_BODY_BYTES: limit(
    16_777_216,
    'Maximum bytes of a body of `POST /executions/import` or `POST /v1/events/import`, inflated. Beyond it: 413.',
    { maximum: 2 ** 28 },
  ),
  IMPORT_EVENTS: limit(
    1_000,
    'Maximum number of events in one import: they are locked and indexed in one transaction. Beyond it: 400.',
    { maximum: 10_000 },
  ),
  NOTIFICATION_GROUPS: limit(
    1_000,
    'Maximum number of groups that one rule keeps over its channels. Events of further groups share one group.',
    { maximum: 100_000 },
  ),
  NOTIFICATIONS_PER_MINUTE: limit(
    30,
    'Maximum number of notifications of a channel in a minute. What is due beyond it waits, and is notified together.',
    { maximum: 10_000 },
  ),
  HEARTBEATS: limit(1_000, 'Maximum number of heartbeats. Beyond it, a new one is refused: 409.', {
    maximum: 100_000,
  }),
  IMPORT_SCENARIOS: limit(
    2_000,
    'Maximum number of scenarios in one imported execution. Beyond it: 400.',
    { maximum: 10_000 },
  ),
  IMPORT_STEPS: limit(
    10_000,
    'Maximum number of steps of all scenarios in one imported execution. Beyond it: 400.',
    { maximum: 10_000 },
  ),
  EVENTS_QUEUE_EVENTS: limit(
    50_000,
    'Maximum number of events that wait to be stored. Beyond it: 503 and `Retry-After`, unread.',
    { maximum: 10_000_000 },
  ),
  EVENTS_QUEUE_BYTES: limit(
    134_217_728,
    'Maximum bytes of the events that wait to be stored. Beyond it: 503 and `Retry-After`, unread.',
    { maximum: 2 ** 33 },
  ),
  EVENTS_QUEUE_REQUESTS: limit(
    1_000,
    'Maximum number of requests whose events wait to be stored. Beyond it: 503 and `Retry-After`, unread.',
    { maximum: 1_000_000 },
  ),
  EVENTS_SEARCH_LAG: limit(
    1_000_000,
    'Maximum number of stored events that search has not indexed yet. From half of it on, ingestion is slowed; beyond it: 503 and `Retry-After`.',
    { minimum: 10_000, maximum: 1_000_000_000 },
  ),
  EVENTS_QUERY_TIMEOUT_MS: limit(
    10_000,
    'Maximum time of one statement of a list or histogram of events, in ms. Beyond it: 503, `Retry-After` and `OVERLOADED`.',
    { maximum: 25_000 },
  ),
  PAGE_BYTES: limit(
    2_097_152,
    'Bytes after which a page of events or executions ends, as at its limit of rows. One operation reads at most four times these bytes of events and of artifacts, and twelve times of results; beyond it: 400 and `OPERATION_LIMIT_EXCEEDED`.',
    { maximum: 2 ** 26 },
  ),
  EXECUTIONS_QUEUE: limit(
    10_000,
    'Maximum number of executions that wait for a worker. Beyond it: 503 and `Retry-After`. From 100 on, they are accepted one at a time, so that those that run are not slowed.',
    { maximum: 1_000_000 },
  ),
  SCHEDULES_SHARE: limit(
    50,
    'Percent of `EXECUTIONS_QUEUE` that executions of schedules and triggers may take. Beyond it, further runs wait.',
    { maximum: 100 },
  ),
  DETAILS_RETENTION_BATCH: limit(
    100,
    'Number of executions whose details one transaction deletes.',
    { maximum: 10_000 },
  ),
  COMMAND_PROCESSES: limit(
    1_024,
    'Maximum number of processes and threads that one program of a `command` step may have at a time, with all that it starts.',
    { minimum: 16, maximum: 100_000 },
  ),
  COMMAND_MEMORY_MIB: limit(
    4_096,
    'Maximum memory of such a program in MiB, with all that it starts. Beyond it the step is ERROR with `MEMORY_LIMIT`.',
    { minimum: 16, maximum: 1_048_576 },
  ),
  ATTACHMENT_BYTES: limit(
    5_242_880,
    'Bytes of a file that a step attaches to its result. A larger one is left out, and the log says so; in an import: 400.',
    { maximum: 2 ** 24 },
  ),
  ATTACHMENTS_BYTES: limit(
    52_428_800,
    'Bytes of all files of one execution. Further ones are left out; in an import: 400.',
    { maximum: 2 ** 30 },
  ),
  EVALUATION_MS: limit(
    1_000,
    'Processor time, in ms, for the expectations, paths, schemas and scenarios of one request or one try of a step, in a process of its own. Beyond it: 400, or the step is ERROR with `EXPECTATION_TOO_SLOW`.',
    { maximum: 60_000 },
  ),
  SANDBOX_READY: {
    schema: { type: 'integer', minimum: 0, maximum: 256, default: 4 },
    meaning: 'Number of sandboxed processes started in advance, so that executions need not wait.',
  },
} as const satisfies Settings

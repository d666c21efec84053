import { EVENTS_KEPT } from './events-kept.ts'
import { NOTIFIED } from './notified.ts'
import type { Settings } from './setting.ts'
import { SIGN_IN } from './sign-in.ts'

/** For those who run Assay for others: sign-in, processes, retention, and what code may reach. */
export const OPERATORS = {
  API_ROOT_PATH: {
    schema: { type: 'string', format: 'path', default: '/api' },
    meaning: 'Path below which the REST interfaces are served.',
  },
  UI: {
    schema: { type: 'boolean', default: true },
    meaning: 'Whether the web client is served at `/`.',
  },
  PROCESSES: {
    schema: { type: 'string', format: 'processes', default: '1' },
    meaning:
      'Number of processes of `npm start` or `npm run start:gateway`, from 1 to 64, or `auto`: one for each core. All serve the same port from the same database; the first one runs executions. Limits count in each process, except those of senders and sign-ins.',
  },
  SHUTDOWN_DELAY_SECONDS: {
    schema: { type: 'integer', minimum: 0, maximum: 30, default: 0 },
    meaning:
      'Seconds for which a server that stops serves on while `/readyz` answers 503: time for balancers to notice. 0 where there is no balancer.',
  },
  TLS_CERT_FILE: {
    schema: { type: 'string' },
    absent: 'none: the server speaks plain HTTP',
    meaning:
      'File with the certificate chain of the server in PEM; with it the server speaks TLS (https and wss). A changed file is loaded within seconds, or at once with SIGHUP.',
  },
  TLS_KEY_FILE: {
    schema: { type: 'string' },
    absent: 'none',
    meaning:
      'File with its private key in PEM, without a passphrase. Required with `TLS_CERT_FILE`.',
  },
  ALLOWED_HOSTS: {
    schema: { type: 'string', format: 'host-list', default: '' },
    absent: 'none',
    meaning:
      'Extra `Host` values accepted on loopback with `AUTH_MODE=none` (DNS-rebinding protection), with commas.',
  },
  ...SIGN_IN,
  DATABASE_DIRECT_URL: {
    schema: { type: 'string', format: 'postgres-url' },
    isSecret: true,
    absent: '`DATABASE_URL`',
    meaning:
      'Address of the database itself where `DATABASE_URL` leads to a pooler in transaction mode, such as PgBouncer. Migrations, jobs and `LISTEN` use it.',
  },
  DATABASE_READ_URL: {
    schema: { type: 'string', format: 'postgres-url' },
    isSecret: true,
    absent: 'the primary',
    meaning:
      'A streaming replica of the database, which lists and statistics read once it has all that was written before. While it is behind or away they read the primary.',
  },
  DATABASE_POOL_SIZE: {
    schema: { type: 'integer', minimum: 5, maximum: 200, default: 10 },
    meaning:
      'Connections to the database for each subgraph of a process, and as many to the replica. Lists and statistics take at most half of them. [What opens how many](../how-to/run-postgresql.md#connections).',
  },
  NATS_URL: {
    schema: { type: 'string', format: 'nats-url' },
    isSecret: true,
    absent: 'the database wakes readers',
    meaning: 'NATS server that wakes the readers of changes, such as `nats://127.0.0.1:4222`.',
  },
  SECRETS_KEY_PREVIOUS: {
    schema: { type: 'string', format: 'key-32-bytes' },
    isSecret: true,
    absent: 'none',
    meaning:
      'Former `SECRETS_KEY`; opens what it sealed while the key is changed. See [change keys](../how-to/change-keys.md).',
  },
  INTERNAL_SECRET: {
    schema: { type: 'string', minLength: 32 },
    isSecret: true,
    meaning:
      'At least 32 characters, equal in all stand-alone processes; signs callers between them. Required there.',
  },
  TEST_EXECUTION_URL: {
    schema: { type: 'string', format: 'http-url', default: 'http://127.0.0.1:4001/graphql' },
    meaning: 'Address of the test-execution subgraph, for a stand-alone gateway.',
  },
  EVENTS_URL: {
    schema: { type: 'string', format: 'http-url', default: 'http://127.0.0.1:4002/graphql' },
    meaning: 'Address of the events subgraph, for a stand-alone gateway.',
  },
  ACCOUNTS_URL: {
    schema: { type: 'string', format: 'http-url', default: 'http://127.0.0.1:4003/graphql' },
    meaning: 'Address of the accounts subgraph, for a stand-alone gateway.',
  },
  SUPERGRAPH: {
    schema: { type: 'string' },
    absent: 'the supergraph of Assay',
    meaning:
      'File with a supergraph that `npm run start:gateway` serves instead, or its address, which is polled; `DATA_DIR` has the last one that could be used. See [foreign supergraphs](../how-to/serve-a-foreign-supergraph.md).',
  },
  SUPERGRAPH_TOKEN: {
    schema: { type: 'string' },
    isSecret: true,
    absent: 'none',
    meaning:
      'Token for the address in `SUPERGRAPH`, sent as `Authorization: Bearer` and as `X-Hive-CDN-Key`.',
  },
  SUPERGRAPH_POLL_SECONDS: {
    schema: { type: 'integer', minimum: 1, maximum: 86_400, default: 10 },
    meaning: 'Seconds between two requests to the address in `SUPERGRAPH`, with its entity tag.',
  },
  GATEWAY_CONFIG: {
    schema: { type: 'string' },
    absent: 'none',
    meaning:
      'YAML file with settings for the subgraphs of `SUPERGRAPH`: addresses, timeouts, TLS, headers and more. It may name the supergraph and hold other settings, too. See [foreign supergraphs](../how-to/serve-a-foreign-supergraph.md).',
  },
  FORWARD_HEADERS: {
    schema: { type: 'string', format: 'header-list', default: '' },
    absent: 'none',
    meaning:
      'Headers of clients that go to the subgraphs of `SUPERGRAPH`, such as `authorization,accept-language`. Over WebSocket also those in the payload of `connection_init`, or below its `headers`.',
  },
  OPERATIONS_PER_MINUTE: {
    schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    absent: 'no limit',
    meaning:
      'GraphQL operations that one user, or one address without sign-in, may run in a minute, over HTTP, WebSocket and MCP; a subscription counts when it begins. Beyond it: `RATE_LIMITED`, over HTTP 429 with `Retry-After`.',
  },
  OPERATION_COST_PER_MINUTE: {
    schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    absent: 'no limit',
    meaning:
      'The same for their cost, as `OPERATION_MAX_COST` counts it. The operation that uses up a minute still runs.',
  },
  EVENTS_STRICT: {
    schema: { type: 'boolean', default: false },
    meaning: 'Whether events also require `source` and `fingerprintFields`.',
  },
  EVENTS_PER_MINUTE: {
    schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    absent: 'no limit',
    meaning:
      'Maximum number of events a minute from one user, or from one address without sign-in. Beyond it: 429, `Retry-After` and `RateLimit-*`; 413 for a single call of more.',
  },
  ...EVENTS_KEPT,
  ...NOTIFIED,
  AUDIT_RETENTION_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 365 },
    meaning: 'Days until entries of the audit log are deleted.',
  },
  DETAILS_RETENTION_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
    meaning:
      'Days until steps, log and covered lines of an execution are deleted. Its simple result stays.',
  },
  DETAILS_RETENTION_SCHEDULE: {
    schema: { type: 'string', format: 'cron', default: '17 * * * *' },
    meaning: 'When they are deleted: minute, hour, day, month and day of the week in UTC.',
  },
  SANDBOX: {
    schema: { type: 'string', enum: ['strict', 'best-effort'] },
    absent: '`best-effort` on loopback, else `strict`',
    meaning:
      '`strict` runs no code where a [wall](../internals/walls.md) is missing. `best-effort` runs it and names the missing walls.',
  },
  SANDBOX_REUSE: {
    schema: { type: 'string', enum: ['on', 'off'], default: 'on' },
    meaning:
      'Whether a sandboxed process may run the same component again, for the same user in the same environment, each time in a [realm of its own](../internals/walls.md#runs-that-share-a-process). `off` starts a process for each run.',
  },
  SCHEDULES: {
    schema: { type: 'string', enum: ['on', 'paused'], default: 'on' },
    meaning:
      'Whether schedules and triggers start executions: `on`, or `paused` to start nothing. What is due meanwhile is missed. A store that was restored from a backup starts nothing until an administrator resumes them.',
  },
  COMMAND_STEPS: {
    schema: { type: 'string', enum: ['on', 'off'] },
    absent: '`on` with `AUTH_MODE=none` on loopback, else `off`; `off` in stand-alone processes',
    meaning:
      'Whether scenarios may start [programs](../how-to/allow-programs.md) (`command` steps). Set it for `start:test-execution` and `start:worker` alike.',
  },
  OUTBOUND_ALLOW: {
    schema: { type: 'string', format: 'cidr-list' },
    absent: 'loopback and private networks while `HOST` is loopback, else none',
    meaning:
      'Networks (CIDR, with commas) that callbacks and steps may reach besides public addresses.',
  },
  OUTBOUND_PROXY: {
    schema: { type: 'string', format: 'http-url' },
    isSecret: true,
    absent: 'none; `HTTP_PROXY` and its like have no effect',
    meaning:
      'Forward proxy, such as `http://user:password@proxy:3128`, that all callbacks and HTTP steps go through. Names and addresses are judged by `OUTBOUND_ALLOW` first. The proxy resolves names again, so it must refuse private networks itself.',
  },
  METRICS_PORT: {
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
    absent: 'none',
    meaning:
      'Port on which a worker or a stand-alone subgraph serves `/metrics`, `/healthz` and `/readyz` without sign-in; 0 takes any free one. A gateway serves them on `PORT`.',
  },
  METRICS_HOST: {
    schema: { type: 'string', format: 'host', default: '127.0.0.1' },
    meaning: 'Address to listen on for `METRICS_PORT`.',
  },
  ACCESS_LOG: {
    schema: { type: 'number', minimum: 0, maximum: 1, default: 1 },
    meaning:
      'Part of the requests that a gateway logs, one line each: 0 none, 1 all. Requests that fail with 500 or more are always logged, but those refused with 503 only ten times a second. Those for health and metrics, files of pages, and events that are sent (`POST /v1/events`, receivers) are logged only with `LOG_LEVEL=debug`, or when they fail with 500; metrics count them.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: { type: 'string', format: 'http-url' },
    absent: 'no traces',
    meaning:
      'Collector that gets [traces](../reference/traces.md) as OTLP over HTTP, such as `http://127.0.0.1:4318`.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: { type: 'string', format: 'otlp-headers' },
    isSecret: true,
    absent: 'none',
    meaning: 'Headers for the collector, such as `authorization=Bearer%20…`, with commas.',
  },
  OTEL_SERVICE_NAME: {
    schema: { type: 'string' },
    absent: '`assay-` and the process, such as `assay-worker`',
    meaning: 'Name of the process in traces.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: { type: 'number', minimum: 0, maximum: 1, default: 1 },
    meaning:
      'Part of the traces that begin here and are exported. Requests with `traceparent` follow the decision of their client.',
  },
  QUERY_PLANS: {
    schema: { type: 'boolean', default: false },
    meaning:
      'Whether administrators may see how an operation is planned, with the header `X-Assay-Query-Plan`. With `AUTH_MODE=none` everybody may.',
  },
  INTROSPECTION: {
    schema: { type: 'boolean', default: true },
    meaning: 'Whether GraphQL clients may read the schema. Without it GraphiQL is off, too.',
  },
  APQ: {
    schema: { type: 'boolean', default: true },
    meaning:
      'Automatic persisted queries: clients may send the hash of a document instead of the document.',
  },
  TRUSTED_DOCUMENTS: {
    schema: { type: 'string' },
    absent: 'none',
    meaning:
      'File with the GraphQL documents of your clients, as `apollo-persisted-query-manifest` or the Relay compiler writes it, or its address, which is polled; `DATA_DIR` has the last one that could be used. Clients may send an id instead of the document.',
  },
  TRUSTED_DOCUMENTS_TOKEN: {
    schema: { type: 'string' },
    isSecret: true,
    absent: 'none',
    meaning: 'Token for the address in `TRUSTED_DOCUMENTS`, sent as that of `SUPERGRAPH_TOKEN`.',
  },
  TRUSTED_DOCUMENTS_POLL_SECONDS: {
    schema: { type: 'integer', minimum: 1, maximum: 86_400, default: 10 },
    meaning:
      'Seconds between two requests to the address in `TRUSTED_DOCUMENTS`, with its entity tag.',
  },
  TRUSTED_DOCUMENTS_ONLY: {
    schema: { type: 'boolean', default: false },
    meaning:
      'Whether all GraphQL documents but these, those of the web client, of MCP tools and of the command `assay` are refused.',
  },
  MCP: {
    schema: { type: 'string', enum: ['on', 'off'], default: 'off' },
    meaning:
      'Whether assistants may use [tools](../how-to/use-with-assistants.md) over the Model Context Protocol, at `POST /mcp`. With `SUPERGRAPH`, the tools are those of `TRUSTED_DOCUMENTS` that have a description.',
  },
  MCP_WRITE: {
    schema: { type: 'string', enum: ['on', 'off'], default: 'off' },
    meaning:
      'Whether tools may change something: run tests, acknowledge events. Callers need the permissions for it as well.',
  },
} as const satisfies Settings

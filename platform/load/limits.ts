import type { Variables } from '../settings/variables.ts'

/** One limit of load: a setting, or a number that the code reads here. */
export type LoadLimit = {
  /** Things that are counted, in words of docs/how-to/protect.md, which lists this table. */
  what: string
  /** Consequence for one beyond it. */
  refusal: string
} & ({ setting: keyof Variables } | { most: number; mostOfOne?: number })

const UNAVAILABLE = '503 and `Retry-After`'

/** Limits of what comes all at once. Limits of single requests and operations stand in the settings alone. */
export const LOAD_LIMITS = {
  connections: {
    what: 'open connections',
    setting: 'HTTP_MAX_CONNECTIONS',
    refusal: '503 and closed; closed at once in a flood',
  },
  requests: { what: 'requests in flight', setting: 'HTTP_MAX_REQUESTS', refusal: UNAVAILABLE },
  pipelined: {
    what: 'requests of one connection that wait for those before them',
    most: 100,
    refusal: UNAVAILABLE,
  },
  queries: {
    what: 'queries at a time',
    setting: 'HTTP_MAX_QUERIES',
    refusal: `${UNAVAILABLE}; over WebSocket an error with \`OVERLOADED\``,
  },
  socketOperations: {
    what: 'queries and mutations at a time over one WebSocket',
    most: 32,
    refusal: 'they wait, and the socket is not read meanwhile',
  },
  socketSubscriptions: {
    what: 'open subscriptions of one WebSocket',
    setting: 'SUBSCRIPTION_MAX_PER_SOCKET',
    refusal: 'an error with `OVERLOADED` and `retryAfterSeconds`',
  },
  planned: {
    what: 'new operations that wait to be planned',
    most: 300,
    mostOfOne: 100,
    refusal: UNAVAILABLE,
  },
  yamlBodies: { what: 'YAML bodies that wait to be read', most: 100, refusal: UNAVAILABLE },
  evaluations: {
    what: 'scenarios, components and expectations that wait to be checked for requests',
    most: 1_000,
    mostOfOne: 50,
    refusal: UNAVAILABLE,
  },
  passwords: { what: 'passwords that are compared at a time', most: 64, refusal: UNAVAILABLE },
  eventRequests: {
    what: 'requests whose events wait to be stored',
    setting: 'EVENTS_QUEUE_REQUESTS',
    refusal: UNAVAILABLE,
  },
  events: {
    what: 'events that wait to be stored',
    setting: 'EVENTS_QUEUE_EVENTS',
    refusal: UNAVAILABLE,
  },
  eventBytes: { what: 'their bytes', setting: 'EVENTS_QUEUE_BYTES', refusal: UNAVAILABLE },
  eventsPerMinute: {
    what: 'events of one user in a minute',
    setting: 'EVENTS_PER_MINUTE',
    refusal: '429, `Retry-After` and `RateLimit-*`',
  },
  operationsPerMinute: {
    what: 'operations of one user in a minute',
    setting: 'OPERATIONS_PER_MINUTE',
    refusal: '`RATE_LIMITED`, 429 and `Retry-After`',
  },
  operationCostPerMinute: {
    what: 'cost of the operations of one user in a minute',
    setting: 'OPERATION_COST_PER_MINUTE',
    refusal: '`RATE_LIMITED`, 429 and `Retry-After`',
  },
  accepted: {
    what: 'executions that are accepted at a time',
    most: 8,
    refusal: `they wait; after 3 s, in a burst 15 s, ${UNAVAILABLE}`,
  },
  executions: {
    what: 'executions that wait for a worker',
    setting: 'EXECUTIONS_QUEUE',
    refusal: UNAVAILABLE,
  },
  callbacks: {
    what: 'executions with a callback in a minute, of one address without a sign-in',
    setting: 'OPEN_CALLBACKS_PER_MINUTE',
    refusal: '429 and `Retry-After`',
  },
} as const satisfies Record<string, LoadLimit>

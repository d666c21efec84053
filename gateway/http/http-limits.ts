import type { Variables } from '../../platform/settings/variables.ts'

/** The environment variables that bound what connections may cost. */
export const HTTP_LIMITS = [
  'HTTP_MAX_REQUESTS',
  'HTTP_MAX_QUERIES',
  'HTTP_MAX_CONNECTIONS',
  'HTTP_MAX_HEADER_BYTES',
  'HTTP_HEADERS_TIMEOUT_SECONDS',
  'HTTP_REQUEST_TIMEOUT_SECONDS',
  'HTTP_KEEP_ALIVE_SECONDS',
  'SHUTDOWN_DELAY_SECONDS',
] as const

type Values = Readonly<Pick<Variables, (typeof HTTP_LIMITS)[number]>>

export type HttpLimits = ReturnType<typeof httpLimitsOf>

export const httpLimitsOf = (values: Values) => ({
  /** In flight at a time; beyond, requests are answered with 503. */
  requests: values.HTTP_MAX_REQUESTS,
  /** Queries that run at a time; beyond, they are refused with 503. */
  queries: values.HTTP_MAX_QUERIES,
  /** Open at a time; beyond, they are answered with 503 and closed. */
  connections: values.HTTP_MAX_CONNECTIONS,
  /** Maximum of all headers of a request together. */
  headerBytes: values.HTTP_MAX_HEADER_BYTES,
  /** Time in which all headers of a request must arrive. */
  headersTimeoutMs: values.HTTP_HEADERS_TIMEOUT_SECONDS * 1_000,
  /** Time in which a whole request must arrive; its answer may take as long as it likes. */
  requestTimeoutMs: values.HTTP_REQUEST_TIMEOUT_SECONDS * 1_000,
  /** Time that a connection stays open after a response. */
  keepAliveMs: values.HTTP_KEEP_ALIVE_SECONDS * 1_000,
  /** Time in which balancers notice that the server stops. */
  shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
})

export const httpLimitFaults = (values: Values): string[] =>
  values.HTTP_HEADERS_TIMEOUT_SECONDS > values.HTTP_REQUEST_TIMEOUT_SECONDS
    ? ['HTTP_HEADERS_TIMEOUT_SECONDS must not be more than HTTP_REQUEST_TIMEOUT_SECONDS']
    : []

import type { Variables } from '../../subgraphs/platform/settings/variables.ts'

/** The environment variables that bound what connections may cost. */
export const HTTP_LIMITS = [
  'HTTP_MAX_REQUESTS',
  'HTTP_MAX_QUERIES',
  'HTTP_MAX_CONNECTIONS',
  'HTTP_MAX_HEADER_BYTES',
  'HTTP_HEADERS_TIMEOUT_SECONDS',
  'HTTP_REQUEST_TIMEOUT_SECONDS',
  'SHUTDOWN_DELAY_SECONDS',
] as const

type Values = Readonly<Pick<Variables, (typeof HTTP_LIMITS)[number]>>

export interface HttpLimits {
  /** In flight at a time; beyond, requests are answered with 503. */
  requests: number
  /** Queries that run at a time; beyond, they are refused with 503. */
  queries: number
  /** Open at a time; beyond, they are answered with 503 and closed. */
  connections: number
  /** Of all headers of a request together. */
  headerBytes: number
  /** Time in which all headers of a request must arrive. */
  headersTimeoutMs: number
  /** Time in which a whole request must arrive; its answer may take as long as it likes. */
  requestTimeoutMs: number
  /** Time in which balancers notice that the server stops. */
  shutdownDelaySeconds: number
}

export const httpLimitsOf = (values: Values): HttpLimits => ({
  requests: values.HTTP_MAX_REQUESTS,
  queries: values.HTTP_MAX_QUERIES,
  connections: values.HTTP_MAX_CONNECTIONS,
  headerBytes: values.HTTP_MAX_HEADER_BYTES,
  headersTimeoutMs: values.HTTP_HEADERS_TIMEOUT_SECONDS * 1_000,
  requestTimeoutMs: values.HTTP_REQUEST_TIMEOUT_SECONDS * 1_000,
  shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
})

export const httpLimitFaults = (values: Values): string[] =>
  values.HTTP_HEADERS_TIMEOUT_SECONDS > values.HTTP_REQUEST_TIMEOUT_SECONDS
    ? ['HTTP_HEADERS_TIMEOUT_SECONDS must not be more than HTTP_REQUEST_TIMEOUT_SECONDS']
    : []

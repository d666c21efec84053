/** Why a stream does not go on. */
export interface StreamFailure {
  message: string
  codes: readonly unknown[]
  /** Time that the server asks for; 0 where it names none. */
  retryAfterMs: number
}

/** Remedies for it. */
export type Remedy = 'sign in' | 'place anew' | 'try again' | 'give up'

/** Another try may succeed, without anything else being done. */
const PASSING: ReadonlySet<unknown> = new Set([
  'OVERLOADED',
  'RATE_LIMITED',
  'SLOW_CONSUMER',
  'REQUEST_TIMEOUT',
  'INTERNAL_SERVER_ERROR',
  'DOWNSTREAM_SERVICE_ERROR',
  'DOWNSTREAM_HTTP_ERROR',
  'DOWNSTREAM_MALFORMED_ANSWER',
  'DOWNSTREAM_UNREACHABLE',
  'DOWNSTREAM_TIMEOUT',
])

/** A failure without a code is one of the connection. */
export function remedyOf({ codes }: Pick<StreamFailure, 'codes'>): Remedy {
  if (codes.includes('UNAUTHENTICATED')) return 'sign in'
  if (codes.includes('CURSOR_EXPIRED')) return 'place anew'
  return codes.every((code) => code === undefined || PASSING.has(code)) ? 'try again' : 'give up'
}

/** Why a subscription or a reading failed: errors of GraphQL, an error of this page, or how the connection was closed. */
export function failureOf(thrown: unknown): StreamFailure {
  if (Array.isArray(thrown)) return failureIn(thrown)
  const { message = 'The connection was closed', codes = [] } =
    thrown instanceof Error ? (thrown as Error & { codes?: readonly unknown[] }) : {} // as RequestError has them
  return { message, codes, retryAfterMs: 0 }
}

const failureIn = (errors: readonly GraphError[]): StreamFailure => ({
  message: errors.map(({ message }) => message).join(' · '),
  codes: errors.map(({ extensions }) => extensions?.code),
  retryAfterMs: Math.max(...errors.map(secondsOf)) * 1_000,
})

interface GraphError {
  message: string
  extensions?: { code?: unknown; retryAfterSeconds?: unknown }
}

const secondsOf = ({ extensions }: GraphError): number => Number(extensions?.retryAfterSeconds) || 0

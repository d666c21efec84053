import { STATUS_CODES } from 'node:http'

/**
 * The codes of all failures that clients meet, each with its HTTP status (conformance: TX-155). GraphQL shows the code
 * as `extensions.code`, REST as `code` in the body. Clients branch on codes: a new one has to be announced to them.
 */
export const ERRORS = {
  // Apollo's protocol of automatic persisted queries: no failures, but turns of a conversation.
  PERSISTED_QUERY_NOT_FOUND: 200,
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
  BAD_USER_INPUT: 400,
  // Apollo's clients know these codes of an operation that cannot run.
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  OPERATION_LIMIT_EXCEEDED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  GONE: 410,
  CURSOR_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  UPGRADE_REQUIRED: 426,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
  DOWNSTREAM_SERVICE_ERROR: 500,
  // Between processes of ours: another INTERNAL_SECRET, or clocks that differ too much. Clients cannot mend it.
  DOWNSTREAM_REFUSED: 502,
  DOWNSTREAM_HTTP_ERROR: 502,
  DOWNSTREAM_MALFORMED_ANSWER: 502,
  DOWNSTREAM_UNREACHABLE: 503,
  // A change that was sent to a subgraph and may have been carried out.
  DOWNSTREAM_ANSWER_LOST: 503,
  OVERLOADED: 503,
  SLOW_CONSUMER: 503,
  DOWNSTREAM_TIMEOUT: 504,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERRORS

/** Seconds after which a client may try again, where the failure itself does not know better. */
const RETRY_AFTER_SECONDS: ReadonlyMap<string, number> = new Map<ErrorCode, number>([
  ['DOWNSTREAM_UNREACHABLE', 2],
  ['DOWNSTREAM_ANSWER_LOST', 2],
  ['OVERLOADED', 2],
  ['SLOW_CONSUMER', 2],
  ['RATE_LIMITED', 60],
])

export type FailureExtensions<Code extends string = string> = {
  code: Code
  retryAfterSeconds?: number
}

/** The `extensions` of a failure: one that passes by itself always says when to try again. @param retryAfterSeconds as a subgraph sent it */
export function failureExtensions<Code extends string>(
  code: Code,
  retryAfterSeconds?: unknown,
): FailureExtensions<Code> {
  const isKnown = typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0
  const seconds = isKnown ? Math.ceil(retryAfterSeconds) : RETRY_AFTER_SECONDS.get(code)
  return { code, ...(seconds !== undefined && { retryAfterSeconds: seconds }) }
}

/** The header that says the same over HTTP. */
export const retryHeaders = ({
  retryAfterSeconds,
}: Pick<FailureExtensions, 'retryAfterSeconds'>): Record<string, string> =>
  retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }

/** A failure that is meant to be seen: its message reaches the client. Whatever else is thrown stays hidden. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly extensions: FailureExtensions<ErrorCode>

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterSeconds, ...options }: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options)
    this.code = code
    this.extensions = failureExtensions(code, retryAfterSeconds)
  }
}

/** Refuses input of a client: the message says where it is faulty and what was expected there. */
export const badInput = (message: string, options?: ErrorOptions) =>
  new AppError('BAD_USER_INPUT', message, options)

export const notFound = (what: string, id: string) =>
  new AppError('NOT_FOUND', `No ${what} has the id ${id}`)

/** Message of a CONFLICT about an id that is in use. */
export const idTaken = (id: string): string => `The id ${id} is already taken`

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code)

/** Failures of a subgraph that leave open whether a change was made. */
const IN_DOUBT: ReadonlySet<ErrorCode> = new Set([
  'DOWNSTREAM_SERVICE_ERROR',
  'DOWNSTREAM_ANSWER_LOST',
  'DOWNSTREAM_TIMEOUT',
])

/** True if a change that failed so may have been made. */
export const isInDoubt = ({ code }: AppError): boolean => IN_DOUBT.has(code)

/** The HTTP status of a code; an unknown code is an internal error. */
export const statusOf = (code: unknown): number => (isErrorCode(code) ? ERRORS[code] : 500)

/** The reason phrase of a status. */
export const reasonOf = (status: number): string => STATUS_CODES[status] ?? ''

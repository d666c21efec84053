/**
 * Every failure a client can see: one code, one HTTP status (compatibility notes, row "errors").
 * GraphQL answers carry the code in `extensions.code`, REST bodies in `code`. Adding a code is a contract change.
 */
export const ERRORS = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  CURSOR_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  OVERLOADED: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERRORS

/** The only error class the domain throws. Anything else that escapes is a bug and is masked. */
export class AppError extends Error {
  override name = 'AppError'
  readonly extensions: { code: ErrorCode }

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.extensions = { code }
  }
}

export const notFound = (what: string, id: string) =>
  new AppError('NOT_FOUND', `No ${what} has the id ${id}`)

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code)

/** The HTTP status of a code; an unknown code is an internal error. */
export const statusOf = (code: unknown): number => (isErrorCode(code) ? ERRORS[code] : 500)

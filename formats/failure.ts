import { AppError, type ErrorCode, isErrorCode } from './errors.ts'
import { bodyFault } from './variable-fault.ts'

/** Failures that Express, its parsers and `send` throw, by status. */
const HTTP_FAILURES: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  404: ['NOT_FOUND', 'There is nothing here'],
  412: ['PRECONDITION_FAILED', 'The file is not as If-… says'],
  413: ['PAYLOAD_TOO_LARGE', 'The request body is larger than this path accepts'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The Content-Encoding or charset of the request body is unknown'],
}

/** Failure as clients see it. A fault of the product shows nothing of itself. */
export function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { extensions, message, status } = error as {
    extensions?: { code?: unknown; retryAfterSeconds?: number }
    message?: string
    status?: number
  }
  if (isErrorCode(extensions?.code) && extensions.code !== 'INTERNAL_SERVER_ERROR')
    return new AppError(extensions.code, bodyFault(message ?? ''), {
      cause: error,
      ...(extensions.retryAfterSeconds && { retryAfterSeconds: extensions.retryAfterSeconds }),
    })
  if (error instanceof URIError)
    return new AppError('BAD_USER_INPUT', 'The path is not percent-encoded UTF-8', { cause: error })
  if (status === undefined || status < 400 || status >= 500)
    return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error', { cause: error })
  const [code, text] = HTTP_FAILURES[status] ?? ['BAD_USER_INPUT', 'The request cannot be read']
  return new AppError(code, text, { cause: error })
}

import { STATUS_CODES } from 'node:http'
import { GraphQLError } from 'graphql'
import { AppError, isErrorCode, retryHeaders, statusOf } from '../schema/errors.ts'
import { timestamp } from '../schema/timestamp.ts'
import { bodyTooLarge } from './json-body.ts'
import type { RestResponse } from './route.ts'
import { variableFault } from './variable-fault.ts'

/** What a failure of whatever origin means to a client. A fault of ours shows nothing of itself. */
export function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { extensions, message, type, status } = error as {
    extensions?: { code?: unknown; retryAfterSeconds?: number }
    message?: string
    type?: string
    status?: number
  }
  if (isErrorCode(extensions?.code) && extensions.code !== 'INTERNAL_SERVER_ERROR')
    return new AppError(extensions.code, variableFault(message ?? ''), {
      cause: error,
      ...(extensions.retryAfterSeconds && { retryAfterSeconds: extensions.retryAfterSeconds }),
    })
  if (type === 'entity.too.large') return bodyTooLarge(error)
  if (type === 'encoding.unsupported')
    return new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding: expected gzip, deflate, br or none',
      { cause: error },
    )
  if (status === 404) return new AppError('NOT_FOUND', 'There is nothing here', { cause: error })
  if (status === 412)
    return new AppError('PRECONDITION_FAILED', 'The file is not as If-… says', { cause: error })
  if (error instanceof URIError)
    return new AppError('BAD_USER_INPUT', 'The path is not percent-encoded UTF-8', { cause: error })
  // Other faults that Express and its parsers find in a request, such as an undecodable body.
  if (status !== undefined && status >= 400 && status < 500)
    return new AppError('BAD_USER_INPUT', 'The request cannot be read', { cause: error })
  return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error', { cause: error })
}

/** A fault of the product that nobody has logged yet; those that come out of the graph are logged where they arose. */
export const isUnreported = ({ code, cause }: AppError): boolean =>
  code === 'INTERNAL_SERVER_ERROR' && !(cause instanceof GraphQLError)

/** Which request failed, and how its answer looks. */
export interface FailedRequest {
  /** With or without its query. */
  path: string
  requestId: string
  /** How to sign in, as `WWW-Authenticate` says it. */
  challenge: string
  /** The body, where it is not the common one. */
  bodyOf?: ((message: string) => unknown) | undefined
}

/** The answer to a failure: the status of its code, and the common error body or the one of the route. */
export function failureResponse(
  { code, message, extensions }: AppError,
  { path, requestId, challenge, bodyOf }: FailedRequest,
): RestResponse {
  const status = statusOf(code)
  const body = bodyOf?.(message) ?? {
    timestamp: timestamp(new Date().toISOString()),
    status,
    error: STATUS_CODES[status],
    message,
    path: path.split('?', 1)[0],
    code,
    requestId,
  }
  const headers: Record<string, string> = {
    ...retryHeaders(extensions),
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': challenge }),
  }
  return { status, body, headers }
}

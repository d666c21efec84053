import { STATUS_CODES } from 'node:http'
import { GraphQLError } from 'graphql'
import { AppError, type ErrorCode, isErrorCode, statusOf } from '../schema/errors.ts'
import { timestamp } from '../schema/timestamp.ts'
import { bodyTooLarge } from './json-body.ts'
import type { RestResponse } from './route.ts'
import { variableFault } from './variable-fault.ts'

/** How long a client should wait before it tries again after 503. */
const RETRY_AFTER_SECONDS = 2

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
  // Other faults that Express' parsers find in a request: an aborted or undecodable body, a malformed path.
  if (status === 400)
    return new AppError('BAD_USER_INPUT', 'The request cannot be read', { cause: error })
  return new AppError('INTERNAL_SERVER_ERROR', 'Internal server error', { cause: error })
}

/** @throws AppError what the sign-in of a caller was refused with, before anything of the request is read */
export function requireValidSignIn({ refusal }: Refusable): void {
  if (!refusal) return
  const { code, message, ...options } = refusal
  throw new AppError(code, message, options)
}

/** A caller whose sign-in may have been refused. */
export interface Refusable {
  refusal?: { code: ErrorCode; message: string; retryAfterSeconds?: number }
}

/** A fault of the product that nobody has logged yet; those that come out of the graph are logged where they arose. */
export const isUnreported = ({ code, cause }: AppError): boolean =>
  code === 'INTERNAL_SERVER_ERROR' && !(cause instanceof GraphQLError)

/**
 * The answer to a failure: the status of its code, and the common error body or the one of the route.
 * @param path of the request, with or without its query
 */
export function failureResponse(
  { code, message, extensions }: AppError,
  path: string,
  requestId: string,
  bodyOf?: (message: string) => unknown,
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
  const retryAfter =
    extensions.retryAfterSeconds ?? (code === 'OVERLOADED' ? RETRY_AFTER_SECONDS : undefined)
  const headers: Record<string, string> = {
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    // RFC 9110, section 11.6.1. A token takes the place of the password.
    ...(code === 'UNAUTHENTICATED' && {
      'WWW-Authenticate': 'Basic realm="Assay", charset="UTF-8"',
    }),
  }
  return { status, body, headers }
}

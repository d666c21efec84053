import { GraphQLError } from 'graphql'
import { AppError, reasonOf, retryHeaders, statusOf } from '../../formats/errors.ts'
import { timestamp } from '../../formats/simple-result.ts'
import {
  bytesResponse,
  pathOf,
  perCaller,
  type TextResponse,
  textResponse,
} from './http-message.ts'
import type { FailureBody, FailureBytes } from './router.ts'

/** A failure whose answer has headers of its own. */
export class HttpFailure extends AppError {
  constructor(
    code: AppError['code'],
    message: string,
    readonly headers: Readonly<Record<string, string>>,
    options?: ConstructorParameters<typeof AppError>[2],
  ) {
    super(code, message, options)
  }
}

/** @param url path and query */
export const nothingAt = (url: string): AppError =>
  new AppError('NOT_FOUND', `There is nothing at ${pathOf(url)}`)

/** For what still waits where the server ends. */
export const stopping = (): AppError =>
  new AppError(
    'OVERLOADED',
    'The server stops before it can answer. Send the request again: with the Idempotency-Key that it had, nothing runs twice; without one, read first whether it took effect',
  )

/** A fault of the product that is not in the log yet; the graph logs its own. */
export const isUnreported = ({ code, cause }: AppError): boolean =>
  code === 'INTERNAL_SERVER_ERROR' && !(cause instanceof GraphQLError)

/** Failed request, with the form of its response. */
export interface FailedRequest {
  /** With or without its query. */
  path: string
  requestId: string
  /** Way to sign in, for `WWW-Authenticate`. */
  challenge: string
  /** The body, where it is not the common one. */
  body?: FailureBody | undefined
  /** In place of a body. */
  encoded?: ReturnType<FailureBytes>
}

/** The answer to a failure: the status of its code, and the common error body or the one of the endpoint. */
export function failureResponse(
  failure: AppError,
  { path, requestId, challenge, body: bodyOf, encoded }: FailedRequest,
): TextResponse {
  const { code, message, extensions } = failure
  const status = statusOf(code)
  const headers: Record<string, string> = {
    ...retryHeaders(extensions),
    ...(code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': challenge }),
    ...(failure instanceof HttpFailure && failure.headers),
  }
  if (encoded) return bytesResponse({ status, headers }, encoded.mediaType, encoded.bytes)
  const body = bodyOf?.(failure, requestId) ?? {
    timestamp: timestamp(new Date().toISOString()),
    status,
    error: reasonOf(status),
    message,
    path: path.split('?', 1)[0],
    code,
    requestId,
  }
  return textResponse({ status, body, headers })
}

/** A response to a request that no handler sees, as it goes over the connection. */
export function refusalText(
  { status, headers, text = '' }: TextResponse,
  requestId: string,
): string {
  return [
    `HTTP/1.1 ${status} ${reasonOf(status)}`,
    ...Object.entries({ ...headers, ...perCaller(headers) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    text,
  ].join('\r\n')
}

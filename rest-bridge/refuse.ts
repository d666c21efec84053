import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BridgeDeps } from './deps.ts'
import { failureOf, failureResponse, isUnreported } from './errors.ts'
import { send } from './send.ts'

interface Refusal {
  /** The body, where it is not the common one. */
  bodyOf?: ((message: string) => unknown) | undefined
  /** Besides those that every failure has. */
  headers?: Readonly<Record<string, string>>
}

/** Answers a request that failed, and reports what is a fault of the product. */
export function refuse<Caller>(
  error: unknown,
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
  { callerOf, challenge, onInternalError }: BridgeDeps<Caller>,
  { bodyOf, headers }: Refusal = {},
): void {
  const { requestId } = callerOf(request)
  const failure = failureOf(error)
  if (isUnreported(failure)) onInternalError(error, requestId)
  // What was begun cannot be taken back.
  if (response.headersSent) return void response.destroy()
  const path = request.originalUrl ?? request.url ?? ''
  const answer = failureResponse(failure, {
    path,
    requestId,
    challenge,
    bodyOf,
  })
  send(response, { ...answer, headers: { ...answer.headers, ...headers } })
}

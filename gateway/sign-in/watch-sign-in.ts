import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { WebSocket } from 'ws'
import { callerOf, rememberCaller } from '../serving/caller-of.ts'
import { CLOSE } from '../serving/close-codes.ts'
import type { Given } from './credential.ts'
import type { SignIn } from './sign-in.ts'

/** A sign-in that was revoked is noticed by what has long been open after this time. */
const LOOK_AGAIN_MS = 60_000

/** Looks again from time to time whether a caller may still do what it could. @returns how to call that off */
export function watchSignIn(
  request: IncomingMessage,
  signIn: SignIn,
  params: Given | null | undefined,
  end: () => void,
): () => void {
  if (callerOf(request).user === null) return () => {}
  const timer = setInterval(async () => {
    const before = callerOf(request)
    const { refusal, permissions } = await signIn(request, params)
    if (refusal && refusal.code !== 'UNAUTHENTICATED') rememberCaller(request, before)
    else if (refusal || !isDeepStrictEqual(permissions, before.permissions)) end()
  }, LOOK_AGAIN_MS).unref()
  return () => clearInterval(timer)
}

/**
 * Answers a request once its caller is known; at once where nobody signs in. A stream of events ends when its sign-in is
 * revoked; whoever waits for one answer gets it, however long that takes.
 */
export function whenSignedIn(
  signIn: SignIn,
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => void,
): void {
  const caller = signIn(request)
  if (!(caller instanceof Promise)) answer()
  else
    void caller.then(() => {
      if (request.headers.accept?.includes('text/event-stream'))
        response.once(
          'close',
          watchSignIn(request, signIn, null, () => response.destroy()),
        )
      answer()
    })
}

/** Lets a GraphQL connection in, until its sign-in is revoked. @returns whether it may come in */
export async function admitSocket(
  socket: WebSocket,
  request: IncomingMessage,
  signIn: SignIn,
  params: Given | undefined,
): Promise<boolean> {
  const { refusal } = await signIn(request, params)
  if (refusal) return false
  const callOff = watchSignIn(request, signIn, params, () => socket.close(...CLOSE.expired))
  socket.once('close', callOff)
  return true
}

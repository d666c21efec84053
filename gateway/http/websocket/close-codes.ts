import type { WebSocket } from 'ws'
import type { Caller } from '../../../platform/access/caller.ts'

/**
 * Why the server closes a WebSocket, as code and reason. Clients of graphql-ws connect again by themselves after each of
 * these; what the protocol prescribes (4400 to 4429) is left to that library.
 */
export const CLOSE = {
  /** IANA registry: Service Restart. */
  restart: [1012, 'Service restart'],
  /** Clients take it as the call for fresh credentials. */
  expired: [4403, 'Credentials expired'],
  /** IANA registry: Try Again Later. Clients of graphql-ws take 1012 to 1014 as a reason to connect again. */
  unchecked: [1013, 'The sign-in could not be checked'],
  slow: [1013, 'Slow consumer: too much was left unread'],
} as const satisfies Record<string, readonly [number, string]>

/** The longest delay of Node's timers; a longer wait takes several. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Calls back when a caller's credentials end. @returns how to call that off */
export function whenExpired({ expiresAt }: Caller, then: () => void): () => void {
  if (expiresAt === undefined) return () => {}
  let timer: NodeJS.Timeout
  const wait = () => {
    const left = Math.max(0, expiresAt - Date.now())
    timer = setTimeout(left > MAX_DELAY_MS ? wait : then, Math.min(left, MAX_DELAY_MS)).unref()
  }
  wait()
  return () => clearTimeout(timer)
}

export function closeWhenExpired(socket: WebSocket, caller: Caller): void {
  const callOff = whenExpired(caller, () => socket.close(...CLOSE.expired))
  if (caller.expiresAt !== undefined) socket.once('close', callOff)
}

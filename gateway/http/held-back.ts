import type { HttpRequest } from './http-message.ts'

/** @returns whether a call is among the first ones of its second */
export function firstOfSecond(most: number): () => boolean {
  let second = 0
  let calls = 0
  return () => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) calls = 0
    second = now
    return calls++ < most
  }
}

/** Events of a response that are listened to: its end, or that of its connection. */
interface Closing {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Part of a request: the end of the client's side. */
type Client = Pick<HttpRequest, 'onceClientEnded'>

/** Refusals a second that are sent at once. */
const PROMPT_REFUSALS = 200

/** Time that the others wait: longer than `Retry-After` says, so that ignoring it is no gain. */
const HELD_BACK_MS = 5_000

/** Part of HTTP_MAX_CONNECTIONS that may wait for a refusal: the others stay free for requests that are accepted. */
const HELD_BACK_SHARE = 0.5

/**
 * Sends refusals, and holds back those of a flood: a client that comes again at once would take the processor from
 * requests that were accepted. Its connection waits instead, and nothing else does.
 * @param connections HTTP_MAX_CONNECTIONS
 */
export function refusals(
  connections: number,
): (client: Client, response: Closing, send: () => void) => void {
  const isPrompt = firstOfSecond(PROMPT_REFUSALS)
  const most = Math.floor(connections * HELD_BACK_SHARE)
  let held = 0
  return (client, response, send) => {
    if (held >= most || response.closed || isPrompt()) return send()
    held++
    let isSent = false
    const sendOnce = () => {
      if (!isSent) send()
      isSent = true
    }
    const timer = setTimeout(sendOnce, HELD_BACK_MS)
    // Only a write shows that it is gone.
    const forget = client.onceClientEnded(sendOnce)
    response.once('close', () => {
      held--
      clearTimeout(timer)
      forget()
    })
  }
}

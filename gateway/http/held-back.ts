import { firstOfSecond } from './first-of-second.ts'

/** What is listened to of a response: its end, or that of its connection. */
interface Closing {
  once(event: 'close', listener: () => void): unknown
}

/** Refusals a second that are sent at once. */
const PROMPT_REFUSALS = 200

/** What the others wait for: longer than `Retry-After` says, so that ignoring it is no gain. */
const HELD_BACK_MS = 5_000

/**
 * Sends refusals, and holds back those of a flood: a client that comes again at once would take the processor from
 * requests that were accepted. Its connection waits instead, and nothing else does.
 */
export function refusals(): (response: Closing, send: () => void) => void {
  const isPrompt = firstOfSecond(PROMPT_REFUSALS)
  return (response, send) => {
    if (isPrompt()) return send()
    const timer = setTimeout(send, HELD_BACK_MS)
    response.once('close', () => clearTimeout(timer))
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { statusOf } from '../formats/errors.ts'
import { TRY_AGAIN } from './client.ts'
import { CommandError, EXIT } from './exit-codes.ts'
import { NO_TLS } from './failures.ts'

/** Tries of a stream that was never open: it may not be there at all. */
const TRIES = 10
const TRY_AGAIN_MS = 1_000
const MAX_TRY_AGAIN_MS = 10_000

export interface Resumable<Item> {
  /** @param after cursor of the last item, or where to begin @param onOpen notes that the server answers */
  open(after: string | null, onOpen: () => void): AsyncIterable<Item>
  cursorOf(item: Item): string
  /** Cursor to begin behind. */
  first: string | null
  onLost?(reason: string): void
  /** Time before the first further try; others take longer. */
  tryAgainMs?: number
  /** Ends the waiting between two tries. */
  signal: AbortSignal
}

/** True where waiting may help: no answer came, or a part of the product gave none. */
export const isLost = (error: unknown): error is CommandError =>
  error instanceof CommandError &&
  (error.exitCode === EXIT.unreachable
    ? error.code !== NO_TLS
    : error.code !== null && TRY_AGAIN.includes(statusOf(error.code)))

/** The items of a stream; one that breaks goes on behind its last item, however long that takes. @throws CommandError */
export async function* resumed<Item>({
  open,
  cursorOf,
  first,
  onLost,
  tryAgainMs = TRY_AGAIN_MS,
  signal,
}: Resumable<Item>): AsyncGenerator<Item, void> {
  let after = first
  let wasOpen = false
  let tries = 0
  const onOpen = () => {
    wasOpen = true
    tries = 0
  }
  for (;;) {
    try {
      for await (const item of open(after, onOpen)) {
        after = cursorOf(item)
        yield item
      }
      return
    } catch (error) {
      tries++
      if (!isLost(error) || (!wasOpen && tries === TRIES)) throw error
      onLost?.(error.message)
      const waitMs = wasOpen ? Math.min(tryAgainMs * tries, MAX_TRY_AGAIN_MS) : tryAgainMs
      await delay(waitMs, undefined, { signal }).catch(() => {
        throw signal.reason
      })
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { CommandError, EXIT } from './exit-codes.ts'
import { NO_TLS } from './failures.ts'

const TRIES = 10
const TRY_AGAIN_MS = 1_000

export interface Resumable<Item> {
  /** @param after cursor of the last item, or where to begin */
  open(after: string | null): AsyncIterable<Item>
  cursorOf(item: Item): string
  /** Where to begin. */
  first: string | null
  onLost?(reason: string): void
  /** Ends the waiting between two tries. */
  signal: AbortSignal
}

/** The items of a stream; one that breaks goes on behind its last item. @throws CommandError */
export async function* resumed<Item>({
  open,
  cursorOf,
  first,
  onLost,
  signal,
}: Resumable<Item>): AsyncGenerator<Item, void> {
  let after = first
  for (let tries = 1; ; ) {
    try {
      for await (const item of open(after)) {
        after = cursorOf(item)
        tries = 1
        yield item
      }
      return
    } catch (error) {
      const isLost = error instanceof CommandError && error.exitCode === EXIT.unreachable
      if (!isLost || error.code === NO_TLS || tries++ === TRIES) throw error
      onLost?.(error.message)
      await delay(TRY_AGAIN_MS, undefined, { signal }).catch(() => {
        throw signal.reason
      })
    }
  }
}

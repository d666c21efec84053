import type { PubSub } from '../../../platform/pub-sub/pub-sub.ts'

const TOPIC = 'events-stored'
/** A notification for each transaction would cost most of the throughput; readers look again this often at most. */
const PAUSE_MS = 25

/** Reports to readers of streams, in whichever process, that there may be more to read. */
export class WakeUps {
  #announcedAt = Number.NEGATIVE_INFINITY
  #pending: NodeJS.Timeout | undefined

  constructor(private readonly pubSub: PubSub) {}

  /** Something was committed. Many announcements in a row become few messages, the last of them never lost. */
  announce(): void {
    if (this.#pending) return
    const waitMs = Math.max(0, this.#announcedAt + PAUSE_MS - performance.now())
    this.#pending = setTimeout(() => {
      this.#pending = undefined
      this.#announcedAt = performance.now()
      void this.pubSub.publish(TOPIC, '')
    }, waitMs)
  }

  /** @returns unsubscribes */
  listen(wake: () => void): () => void {
    return this.pubSub.subscribe(TOPIC, wake)
  }

  stop(): void {
    clearTimeout(this.#pending)
  }
}

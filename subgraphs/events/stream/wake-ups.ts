import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'

const TOPIC = 'events-stored'
/** A notification for each transaction would cost most of the throughput; readers look again this often at most. */
const PAUSE_MS = 25

/** Waits that end early when something was stored, in whichever process. */
export interface Waiter {
  readonly isStopped: boolean
  wait(timeoutMs: number): Promise<void>
  stop(): void
}

/** Tells readers of streams that there may be more to read. */
export class WakeUps {
  readonly #pubSub: PubSub
  readonly #waiters = new Set<Waiter>()
  #announcedAt = Number.NEGATIVE_INFINITY
  #pending: NodeJS.Timeout | undefined

  constructor(pubSub: PubSub) {
    this.#pubSub = pubSub
  }

  /** Something was committed. Many announcements in a row become few messages, the last of them never lost. */
  announce(): void {
    if (this.#pending) return
    const waitMs = Math.max(0, this.#announcedAt + PAUSE_MS - performance.now())
    this.#pending = setTimeout(() => {
      this.#pending = undefined
      this.#announcedAt = performance.now()
      void this.#pubSub.publish(TOPIC, '')
    }, waitMs)
  }

  /** A wake-up that comes between two waits ends the second one at once. */
  listen(): Waiter {
    let isAwake = false
    let isStopped = false
    let wake = () => {
      isAwake = true
    }
    const unsubscribe = this.#pubSub.subscribe(TOPIC, () => wake())
    const waiter: Waiter = {
      get isStopped() {
        return isStopped
      },
      wait: (timeoutMs) =>
        new Promise((resolve) => {
          const end = () => {
            clearTimeout(timer)
            isAwake = false
            wake = () => {
              isAwake = true
            }
            resolve()
          }
          const timer = setTimeout(end, timeoutMs)
          wake = end
          if (isAwake || isStopped) end()
        }),
      stop: () => {
        isStopped = true
        unsubscribe()
        this.#waiters.delete(waiter)
        wake()
      },
    }
    this.#waiters.add(waiter)
    return waiter
  }

  stop(): void {
    clearTimeout(this.#pending)
    for (const waiter of this.#waiters) waiter.stop()
  }
}

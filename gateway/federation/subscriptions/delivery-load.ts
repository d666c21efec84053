import { FederationError } from '../errors.ts'

/** Interval at which `look` is called. */
export const LOOK_MS = 50
const WINDOW_MS = 1_000
/** A process with fewer subscribers refuses none. */
const LEAST_SUBSCRIBERS = 100
/** Deliveries that take a smaller part of the time are no load, however busy the process is. */
const LOAD_SHARE = 0.05
/** Nor are they in a process that is busy for a smaller part of the time. */
const LOAD_BUSY = 0.5
/** New subscribers within a window, as a part of those there are, while deliveries are a load. */
const GROWTH = 0.2
/** With a stream that delivers as many events as go out together for a larger part of the time, none is admitted. */
const FULL_STREAM = 0.6
/** Events queue for a stream that does so for a larger part of the time. */
const LATE_STREAM = 0.9
/** Timers that are this late on average show that the events of many streams queue. */
const LATE_MS = 100
/** In a process that is late for this many windows, a part of the subscribers has to leave in each window. */
const SURPLUS_WINDOWS = 2
const SURPLUS = 0.1
/** Clients that are refused at the same time come again at different ones. */
const RETRY_AFTER_SECONDS = { from: 5, spread: 10 }

/** Activity of a process between two looks. */
export interface Look {
  /** In ms, as the timer fires. */
  now: number
  /** Part of the time since the last look in which the event loop was not idle. */
  busy: number
  subscribers: number
}

/**
 * Admission of subscribers. One costs for as long as it stays, and one too many delays all others more and more. Where
 * deliveries are a load, few join at a time, and none in a process without room.
 */
export class DeliveryLoad {
  #window: Window = newWindow(0)
  #lookedAt = 0
  #isLoad = false
  #isFull = false
  #surplusWindows = 0

  /** @param tookMs with waits for turns of the event loop @param fill events, as a part of those that go out together at most */
  delivered(stream: object, tookMs: number, fill: number): void {
    const { fullMs } = this.#window
    this.#window.deliveringMs += tookMs
    fullMs.set(stream, (fullMs.get(stream) ?? 0) + tookMs * fill)
  }

  joined(): void {
    this.#window.joined++
  }

  /** True if new subscribers are refused. @param subscribers that are there */
  isFull(subscribers: number): boolean {
    if (!this.#isLoad || subscribers < LEAST_SUBSCRIBERS) return false
    return this.#isFull || this.#window.joined >= subscribers * GROWTH
  }

  /** @returns how many of the subscribers have to leave */
  look({ now, busy, subscribers }: Look): number {
    const window = this.#window
    const sinceMs = now - this.#lookedAt
    this.#lookedAt = now
    window.looks++
    window.lateMs += Math.max(0, sinceMs - LOOK_MS)
    window.busyMs += busy * sinceMs
    const windowMs = now - window.beganAt
    if (windowMs < WINDOW_MS) return 0
    this.#window = newWindow(now)
    // The first window begins with the first look.
    if (window.beganAt === 0) return 0
    const fullMs = Math.max(0, ...window.fullMs.values())
    const isBusy = window.busyMs > windowMs * LOAD_BUSY
    const timersLateMs = window.lateMs / window.looks
    this.#isLoad = isBusy && window.deliveringMs > windowMs * LOAD_SHARE
    this.#isFull = fullMs > windowMs * FULL_STREAM || timersLateMs > LATE_MS
    const isLate = this.#isLoad && (fullMs > windowMs * LATE_STREAM || timersLateMs > LATE_MS)
    this.#surplusWindows = isLate ? this.#surplusWindows + 1 : 0
    if (this.#surplusWindows < SURPLUS_WINDOWS || subscribers < LEAST_SUBSCRIBERS) return 0
    return Math.ceil(subscribers * SURPLUS)
  }
}

type Window = ReturnType<typeof newWindow>

const newWindow = (beganAt: number) => ({
  beganAt,
  looks: 0,
  lateMs: 0,
  busyMs: 0,
  deliveringMs: 0,
  /** Time for which each stream's deliveries had no room for further events. */
  fullMs: new Map<object, number>(),
  joined: 0,
})

export const tooManySubscribers = () =>
  new FederationError(
    'OVERLOADED',
    'This process delivers events to as many subscribers as it can: subscribe again later, behind the last cursor',
    {
      retryAfterSeconds:
        RETRY_AFTER_SECONDS.from + Math.floor(Math.random() * RETRY_AFTER_SECONDS.spread),
    },
  )

import type { IngestionLimits } from '../../../rest-bridge/ingestion/ingestion-limits.ts'
import { AppError } from '../../../schema/errors.ts'

/** The part of the queue that one request takes until it is answered. */
export interface QueueSlot {
  /** @throws AppError OVERLOADED when the bodies of all requests together become too large */
  addBytes(bytes: number): void
  addEvents(events: number): void
  leave(): void
}

type Limits = Pick<IngestionLimits, 'queueEvents' | 'queueBytes' | 'queueRequests'>

/** Bounds what waits to be stored, in requests, bytes and events, so that a flood costs neither memory nor parsing. */
export class IngestionQueue {
  readonly #limits: Limits
  #requests = 0
  #bytes = 0
  #events = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** What waits to be stored. */
  get waiting(): { bytes: number; events: number } {
    return { bytes: this.#bytes, events: this.#events }
  }

  /** @throws AppError OVERLOADED when there is no room for a further request, whatever its size */
  enter(): QueueSlot {
    const { queueEvents, queueBytes, queueRequests } = this.#limits
    if (this.#requests >= queueRequests) throw full('EVENTS_QUEUE_REQUESTS', queueRequests)
    if (this.#events >= queueEvents) throw full('EVENTS_QUEUE_EVENTS', queueEvents)
    if (this.#bytes >= queueBytes) throw full('EVENTS_QUEUE_BYTES', queueBytes)
    let bytes = 0
    let events = 0
    let isIn = true
    this.#requests++
    return {
      addBytes: (more) => {
        bytes += more
        this.#bytes += more
        if (this.#bytes > queueBytes) throw full('EVENTS_QUEUE_BYTES', queueBytes)
      },
      addEvents: (more) => {
        events += more
        this.#events += more
      },
      leave: () => {
        if (isIn) this.#requests--
        isIn = false
        this.#bytes -= bytes
        this.#events -= events
        bytes = 0
        events = 0
      },
    }
  }
}

const full = (name: string, limit: number) =>
  new AppError(
    'OVERLOADED',
    `Too much is waiting to be stored (${name} is ${limit}): send it again later`,
  )

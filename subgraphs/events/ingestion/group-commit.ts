import { AppError } from '../../../formats/errors.ts'
import { Budget } from '../../../platform/load/load.ts'
import type { IdempotencyKey } from '../../../platform/request/idempotency-key.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import type { Occurrence } from './occurrence.ts'

/** An occurrence in a batch. */
export interface BatchItem {
  index: number
  occurrence: Occurrence
  /** Another occurrence of the event with this key is the same one. */
  key?: string
  /** Set where that is stored already: it is accepted, and counts no more. */
  isRepeat?: boolean
}

/** One request's part of a transaction; it is stored as a whole or not at all. */
export interface Batch {
  /** Occurrences with their index in the request. */
  items: BatchItem[]
  /** Refusals of validation, which join the response. */
  errors: IngestionAnswer['errors']
  idempotency: IdempotencyKey | null
}

/** The answer to a batch once all its items are stored. */
export const answerOf = ({ items, errors }: Batch): IngestionAnswer => ({
  accepted: items.map(({ index, occurrence }) => ({ index, id: occurrence.eventId })),
  errors,
})

/** Outcome of a batch: it is stored, or its idempotency key was answered before, to a request with that digest. */
export type Outcome = { isReplay: false; answer: IngestionAnswer } | Replay

export interface Replay {
  isReplay: true
  digest: string
  answer: IngestionAnswer
}

export const stored = (batch: Batch): Outcome => ({ isReplay: false, answer: answerOf(batch) })

/** Outcome of each item of an ingestion, by its position in the request. */
export interface IngestionAnswer {
  accepted: { index: number; id: string }[]
  errors: { index: number; message: string }[]
}

/** An answer, and whether it was given before to a request with the same idempotency key. */
export interface GivenAnswer extends IngestionAnswer {
  replayed: boolean
}

export type IngestionSuccess = 'ALL' | 'PARTIAL' | 'NONE'

export function successOf({ accepted, errors }: IngestionAnswer): IngestionSuccess {
  if (accepted.length === 0) return 'NONE'
  return errors.length === 0 ? 'ALL' : 'PARTIAL'
}

export interface GroupCommitLimits {
  /** Transactions at the same time: more of them would be smaller. */
  writers: number
  /** As many while `shareEvents` wait. */
  maxWriters: number
  /** Target batch size per transaction. A single larger request is written whole. */
  shareEvents: number
  /** The same for requests with common events, which no other writer may take meanwhile. */
  groupEvents: number
  /** Beyond this many waiting events, or bytes of events, further requests are refused. */
  queueEvents: number
  queueBytes: number
}

export const GROUP_COMMIT_LIMITS: GroupCommitLimits = {
  writers: 2,
  maxWriters: 3,
  shareEvents: 400,
  groupEvents: 1_000,
  queueEvents: DEFAULT_SETTINGS.queueEvents,
  queueBytes: DEFAULT_SETTINGS.queueBytes,
}

export type WriteGroup = (batches: readonly Batch[]) => Promise<PromiseSettledResult<Outcome>[]>

/** Number of waiting requests that are looked at for one transaction; it bounds the search when all want the same event. */
const LOOK_AHEAD = 4_000

interface Waiting {
  batch: Batch
  bytes: number
  /** The idempotency key with its account. */
  key: string | null
  /** Event ids and idempotency key: what no two transactions may touch at the same time. */
  names: string[]
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
}

/**
 * Concurrent requests share transactions, and so the wait for the disk: what arrives while the writers are busy goes
 * together into the next one. No timer is needed. Requests of the same event never stand in two transactions at once, so
 * that a hot event makes larger groups instead of writers that wait for each other's locks.
 */
export class GroupCommit {
  readonly #write: WriteGroup
  readonly #limits: GroupCommitLimits
  #queue: Waiting[] = []
  /** Events and bytes of all requests that were taken. */
  readonly #events: Budget
  readonly #bytes: Budget
  /** Events of those that wait for a transaction. */
  #waiting = 0
  #running = 0
  #isScheduled = false
  #busyMs = 0
  #busySince: number | undefined
  readonly #busy = new Set<string>()
  #stopping: { promise: Promise<void>; resolve: () => void } | undefined

  constructor(write: WriteGroup, limits: Partial<GroupCommitLimits> = {}) {
    this.#write = write
    this.#limits = { ...GROUP_COMMIT_LIMITS, ...limits }
    this.#events = new Budget(this.#limits.queueEvents, tooMuchWaits)
    this.#bytes = new Budget(this.#limits.queueBytes, tooMuchWaits)
  }

  /** @throws AppError OVERLOADED when too much is waiting, or this process stops */
  assertCapacity(): void {
    this.#events.assertRoom()
    this.#bytes.assertRoom()
    if (this.#stopping) throw tooMuchWaits()
  }

  /** Resolves once the batch is committed. @throws AppError OVERLOADED before anything is stored */
  async submit(batch: Batch): Promise<Outcome> {
    this.assertCapacity()
    let bytes = 0
    const names = new Set<string>()
    for (const { occurrence } of batch.items) {
      bytes += occurrence.bytes
      names.add(occurrence.eventId)
    }
    const key = batch.idempotency && `${batch.idempotency.account} ${batch.idempotency.key}`
    if (key !== null) names.add(key)
    this.#events.take(batch.items.length)
    this.#bytes.take(bytes)
    return new Promise((resolve, reject) => {
      this.#waiting += batch.items.length
      this.#queue.push({ batch, bytes, key, names: [...names], resolve, reject })
      this.#schedule()
    })
  }

  /** Milliseconds, since the start, in which all writers were at work, or a request waited. */
  get busyMs(): number {
    const since = this.#busySince
    return this.#busyMs + (since === undefined ? 0 : performance.now() - since)
  }

  /** Refuses further batches and waits for those that were taken. */
  stop(): Promise<void> {
    this.#stopping ??= Promise.withResolvers<void>()
    if (this.#events.held === 0) this.#stopping.resolve()
    return this.#stopping.promise
  }

  /** Once for all that arrives in this turn of the event loop. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#startWriters()
      this.#noteBusy()
    })
  }

  #startWriters(): void {
    const { writers, maxWriters, shareEvents } = this.#limits
    while (this.#running < (this.#waiting < shareEvents ? writers : maxWriters)) {
      const group = this.#takeGroup()
      if (group.length === 0) return
      void this.#run(group)
    }
  }

  /** The longest waiting requests of which no event is being written, in order. */
  #takeGroup(): Waiting[] {
    const { shareEvents, groupEvents } = this.#limits
    const group: Waiting[] = []
    const groupNames = new Set<string>()
    const passed: Waiting[] = []
    const passedNames = new Set<string>()
    let events = 0
    let seen = 0
    let position = 0
    const end = Math.min(this.#queue.length, LOOK_AHEAD)
    const isEnough = () => events >= groupEvents || (events >= shareEvents && seen >= groupEvents)
    for (; position < end && !isEnough(); position++) {
      const waiting = this.#queue[position] as Waiting
      seen += waiting.batch.items.length
      const isFree = waiting.names.every((name) => !this.#busy.has(name) && !passedNames.has(name))
      const isWanted = events < shareEvents || waiting.names.some((name) => groupNames.has(name))
      if (isFree && isWanted && fits(group, waiting)) {
        group.push(waiting)
        events += waiting.batch.items.length
        for (const name of waiting.names) groupNames.add(name)
      } else {
        passed.push(waiting)
        for (const name of waiting.names) passedNames.add(name)
      }
    }
    this.#waiting -= events
    this.#queue = [...passed, ...this.#queue.slice(position)]
    for (const name of groupNames) this.#busy.add(name)
    return group
  }

  #noteBusy(): void {
    this.#busyMs = this.busyMs
    // Requests of one event wait for its writer, though others are free.
    const isBusy = this.#running >= this.#limits.writers || this.#waiting > 0
    this.#busySince = isBusy ? performance.now() : undefined
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    this.#running++
    this.#noteBusy()
    const results = await this.#write(group.map(({ batch }) => batch)).catch((reason) =>
      group.map((): PromiseSettledResult<Outcome> => ({ status: 'rejected', reason })),
    )
    this.#running--
    this.#noteBusy()
    group.forEach(({ batch, bytes, names, resolve, reject }, position) => {
      for (const name of names) this.#busy.delete(name)
      this.#events.release(batch.items.length)
      this.#bytes.release(bytes)
      const result = results[position]
      if (result?.status === 'fulfilled') resolve(result.value)
      else reject(result?.reason)
    })
    if (this.#events.held === 0) this.#stopping?.resolve()
    this.#schedule()
  }
}

const tooMuchWaits = () => new AppError('OVERLOADED', 'Too many events are waiting to be stored')

/** One transaction holds an idempotency key once. */
const fits = (group: readonly Waiting[], { key }: Waiting): boolean =>
  key === null || !group.some((other) => other.key === key)

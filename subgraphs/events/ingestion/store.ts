import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../formats/errors.ts'
import { failureOf } from '../../../platform/database/database-error.ts'
import type { Orm } from '../../../platform/database/orm.ts'
import type { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import type { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { Releasers } from '../../../platform/process/releasers.ts'
import type { PubSub } from '../../../platform/pub-sub/pub-sub.ts'
import type { Notifications } from '../notifications/start.ts'
import { Indexer, SearchLag } from '../read/index/indexer.ts'
import { SearchRepository } from '../read/index/search.repository.ts'
import type { EventsSettings } from '../settings.ts'
import { type Batch, GroupCommit, type Outcome, stored } from './group-commit.ts'
import type { IngestionCounts, Store } from './ingestion.service.ts'
import { type CommitStatus, type Prepared, WriterRepository } from './writer.repository.ts'

const INDEX_LAG = {
  name: 'assay_event_index_lag_events',
  help: 'Events that are stored and not indexed for search, about, against EVENTS_SEARCH_LAG.',
}

/** Time for which a transaction is tried again. */
const PATIENCE_MS = 5_000
/** Time for which it asks if a transaction has committed: giving up leaves the client in doubt. */
const DOUBT_MS = 30_000
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 500

/**
 * Writes in spite of deadlocks, serialization failures and lost connections. A connection that is lost during the
 * commit leaves open whether it happened: then the database is asked, so that nothing is counted twice.
 */
export class PersistentWriter {
  constructor(private readonly writer: WriterRepository) {}

  /**
   * @throws AppError OVERLOADED when the database stays out of reach; DOWNSTREAM_SERVICE_ERROR when that leaves open
   * whether a transaction has committed; the database's error when it blames the data
   */
  async write(batches: readonly Batch[]): Promise<Outcome[]> {
    const deadline = Date.now() + PATIENCE_MS
    for (let attempt = 0; ; attempt++) {
      let prepared: Prepared | undefined
      try {
        return await this.writer.write(batches, (reached) => {
          prepared = reached
        })
      } catch (error) {
        if (failureOf(error) !== 'transient') throw error
        if (prepared && (await this.#hasCommitted(prepared))) return prepared.outcomes
        if (Date.now() > deadline) throw outOfReach(error)
        await pause(attempt)
      }
    }
  }

  async #hasCommitted(prepared: Prepared): Promise<boolean> {
    const deadline = Date.now() + DOUBT_MS
    for (let attempt = 0; ; attempt++) {
      const status = await this.#statusOf(prepared, deadline)
      if (status === 'committed' || status === 'aborted') return status === 'committed'
      await pause(attempt)
    }
  }

  async #statusOf(prepared: Prepared, deadline: number): Promise<CommitStatus | undefined> {
    try {
      return await this.writer.statusOf(prepared)
    } catch (error) {
      if (failureOf(error) !== 'transient') throw error
      if (Date.now() > deadline) throw inDoubt(error)
      return undefined
    }
  }
}

/** Twice as long each time, and by chance, so that those who collided do not meet again. */
const pause = (attempt: number): Promise<void> =>
  delay(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS))

const outOfReach = (cause: unknown): AppError =>
  new AppError('OVERLOADED', 'The events cannot be stored at the moment', { cause })

const inDoubt = (cause: unknown): AppError =>
  new AppError(
    'DOWNSTREAM_SERVICE_ERROR',
    'It is unknown whether the events were stored: the database was lost during the commit. Send the call again: with the idempotency key that it had, nothing is counted twice',
    { cause },
  )

/**
 * Keeps an item that the database refuses, whatever the reason, from failing its neighbours: the group is taken apart
 * until the item is found, and only that item is refused.
 */
class IsolatingWriter {
  constructor(
    private readonly writer: PersistentWriter,
    private readonly rehearsal: Pick<WriterRepository, 'rehearse'>,
  ) {}

  /** @returns an outcome for each batch, or the reason why it failed */
  async write(batches: readonly Batch[]): Promise<PromiseSettledResult<Outcome>[]> {
    try {
      const outcomes = await this.writer.write(batches)
      return outcomes.map((value) => ({ status: 'fulfilled', value }))
    } catch (reason) {
      if (failureOf(reason) !== 'data') return batches.map(() => ({ status: 'rejected', reason }))
      const [first, ...others] = batches
      if (first && others.length === 0) return Promise.allSettled([this.#writeSound(first)])
      const middle = Math.ceil(batches.length / 2)
      return [
        ...(await this.write(batches.slice(0, middle))),
        ...(await this.write(batches.slice(middle))),
      ]
    }
  }

  async #writeSound(batch: Batch): Promise<Outcome> {
    const refused = new Set(await this.#findRefused(batch))
    const sound: Batch = {
      ...batch,
      items: batch.items.filter((item) => !refused.has(item)),
      errors: [
        ...batch.errors,
        ...[...refused].map(({ index }) => ({ index, message: REFUSED })),
      ].sort((a, b) => a.index - b.index),
    }
    if (sound.items.length === 0) return stored(sound)
    const [outcome] = await this.writer.write([sound])
    return outcome ?? stored(sound)
  }

  async #findRefused(batch: Batch): Promise<Batch['items']> {
    try {
      await this.rehearsal.rehearse(batch)
      return []
    } catch (error) {
      if (failureOf(error) !== 'data') throw error
      const { items } = batch
      if (items.length === 1) return items
      const middle = Math.ceil(items.length / 2)
      return [
        ...(await this.#findRefused({ ...batch, items: items.slice(0, middle) })),
        ...(await this.#findRefused({ ...batch, items: items.slice(middle) })),
      ]
    }
  }
}

const REFUSED = 'The event holds a value that cannot be stored'

interface StoreParts {
  orm: Orm
  settings: EventsSettings
  horizon: HorizonRepository
  notifications: Pick<Notifications, 'notifier'>
  wakeUps: WakeUps
  counts: IngestionCounts
  metrics: ProcessMetrics
  log: Logger
  releasers: Releasers
}

/** Stores events of many requests in common transactions, and indexes them for search behind these. */
export function startStore(parts: StoreParts): { store: GroupCommit; lag: SearchLag } {
  const { orm, settings, horizon, notifications, wakeUps, counts, metrics, log, releasers } = parts
  const writer = new WriterRepository(orm, horizon, notifications.notifier)
  const isolating = new IsolatingWriter(new PersistentWriter(writer), writer)
  const lag = new SearchLag(settings.searchLag)
  const store = new GroupCommit(async (batches) => {
    if (lag.delayMs > 0) await delay(lag.delayMs)
    const began = performance.now()
    const outcomes = await isolating.write(batches)
    const events = batches.reduce((sum, { items }) => sum + items.length, 0)
    counts.committed(events, (performance.now() - began) / 1_000)
    wakeUps.announce()
    indexer.noteStored()
    return outcomes
  }, settings)
  const search = new SearchRepository(orm, horizon)
  metrics.watch(INDEX_LAG, async () => [{ labels: {}, value: await search.left() }])
  const indexer = new Indexer(search, lag, [() => store.busyMs, activeMs], log)
  indexer.start()
  releasers.defer(() => indexer.stop())
  releasers.defer(() => store.stop())
  return { store, lag }
}

/** A store that takes no request while search is too far behind. */
export const limited = (store: Store, lag: SearchLag): Store => ({
  assertCapacity() {
    lag.assertLow()
    store.assertCapacity()
  },
  submit: (batch) => store.submit(batch),
})

/** Milliseconds in which this process computed. */
const activeMs = (): number => performance.eventLoopUtilization().active

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

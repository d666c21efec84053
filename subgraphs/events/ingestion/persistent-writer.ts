import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../formats/errors.ts'
import { failureOf } from '../../../platform/database/database-error.ts'
import { type Batch, type Outcome, stored } from './group-commit.ts'
import type { CommitStatus, Prepared, WriterRepository } from './writer.repository.ts'

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
export class IsolatingWriter {
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

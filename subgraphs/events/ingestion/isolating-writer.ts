import { failureOf } from '../../platform/database/database-error.ts'
import { type Batch, type Outcome, stored } from './batch.ts'
import type { PersistentWriter } from './persistent-writer.ts'
import type { WriterRepository } from './writer.repository.ts'

/**
 * Keeps an item that the database refuses, whatever the reason, from failing its neighbours: the group is taken apart
 * until the item is found, and only that item is refused.
 */
export class IsolatingWriter {
  readonly #writer: PersistentWriter
  readonly #rehearsal: Pick<WriterRepository, 'rehearse'>

  constructor(writer: PersistentWriter, rehearsal: Pick<WriterRepository, 'rehearse'>) {
    this.#writer = writer
    this.#rehearsal = rehearsal
  }

  /** @returns an outcome for each batch, or the reason why it failed */
  async write(batches: readonly Batch[]): Promise<PromiseSettledResult<Outcome>[]> {
    try {
      const outcomes = await this.#writer.write(batches)
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
    const [outcome] = await this.#writer.write([sound])
    return outcome ?? stored(sound)
  }

  async #findRefused(batch: Batch): Promise<Batch['items']> {
    try {
      await this.#rehearsal.rehearse(batch)
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

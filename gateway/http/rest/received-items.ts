import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { failureOf } from '../../../formats/failure.ts'
import type { Received } from '../../../formats/received/received.ts'
import { type Caller, userKeyOf } from '../../../platform/access/caller.ts'
import type { IngestionOutcome } from '../../../rest-bridge/ingestion/parts.ts'
import type { PreparedRoute } from './prepared-routes.ts'

export type Item = Extract<Received, { event: unknown }>

/** Verdicts on the items that are stored, and how many these are. */
export interface StoredItems {
  items: number
  accepted: { index: number; id: string }[]
  errors: { index: number; message: string }[]
}

/** Events of a transaction. */
const PART_EVENTS = 1_000

const NOTHING_STORED = (): StoredItems => ({ items: 0, accepted: [], errors: [] })

/**
 * Stores items in parts, and adds the verdicts on each to `stored`; what that has already is left out.
 * @throws AppError of a failure that passes
 */
export async function storeItems(
  row: Pick<PreparedRoute, 'run'>,
  items: readonly Item[],
  caller: Caller,
  stored = NOTHING_STORED(),
): Promise<void> {
  while (stored.items < items.length) {
    const from = stored.items
    const part = items.slice(from, from + PART_EVENTS)
    const keys = part.map(({ key }) => key ?? null)
    const input = {
      events: part.map(({ event }) => event),
      ...(keys.some((key) => key !== null) && { occurrenceKeys: keys }),
    }
    const { data, errors } = (await row.run({ input }, { caller })) as IngestionOutcome // as the operation selects it
    if (!data?.ingestEvents) throw failureOf(errors?.[0])
    for (const { index, id } of data.ingestEvents.accepted)
      stored.accepted.push({ index: from + index, id })
    for (const { index, message } of data.ingestEvents.errors)
      stored.errors.push({ index: from + index, message })
    stored.items += part.length
  }
}

/** A sender that gets 503 repeats the request within this time. */
const KEPT_MS = 10 * 60_000
const MOST_KEPT = 100

/** Requests that failed behind a part that is stored. Their repetitions go on there: nothing counts twice. */
export class BegunRequests {
  readonly #begun = new LRUCache<string, StoredItems>({ max: MOST_KEPT, ttl: KEPT_MS })

  /** @param use stores what is left, and adds it @throws what `use` throws */
  async goOn<Result>(
    { receiver, by, body }: { receiver: string; by: Caller; body: Buffer },
    use: (stored: StoredItems) => Promise<Result>,
  ): Promise<Result> {
    const key = `${receiver} ${userKeyOf(by)} ${hash('sha256', body, 'base64url')}`
    const stored = this.#begun.get(key) ?? NOTHING_STORED()
    this.#begun.delete(key)
    try {
      return await use(stored)
    } catch (error) {
      if (stored.items > 0) this.#begun.set(key, stored)
      throw error
    }
  }
}

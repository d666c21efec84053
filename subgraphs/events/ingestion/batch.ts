import type { IdempotencyKey } from '../../platform/request/idempotency-key.ts'
import type { IngestionAnswer } from './answer.ts'
import type { Occurrence } from './occurrence.ts'

/** One request's part of a transaction; it is stored as a whole or not at all. */
export interface Batch {
  /** Where each occurrence stood in the request. */
  items: { index: number; occurrence: Occurrence }[]
  /** What validation refused; joins the answer. */
  errors: IngestionAnswer['errors']
  idempotency: IdempotencyKey | null
}

/** The answer to a batch once all its items are stored. */
export const answerOf = ({ items, errors }: Batch): IngestionAnswer => ({
  accepted: items.map(({ index, occurrence }) => ({ index, id: occurrence.eventId })),
  errors,
})

/** What became of a batch: it is stored, or its idempotency key was answered before, to a request with that digest. */
export type Outcome =
  | { isReplay: false; answer: IngestionAnswer }
  | { isReplay: true; digest: string; answer: IngestionAnswer }

export const stored = (batch: Batch): Outcome => ({ isReplay: false, answer: answerOf(batch) })

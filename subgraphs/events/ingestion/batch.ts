import type { IdempotencyKey } from '../../platform/request/idempotency-key.ts'
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

/** What became of each item of an ingestion, by its position in the request. */
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

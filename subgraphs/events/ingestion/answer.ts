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

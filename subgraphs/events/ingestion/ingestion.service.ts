import { AppError } from '../../../schema/errors.ts'
import { currentTime } from '../../platform/process/clock.ts'
import { type IdempotencyKey, idempotencyMismatch } from '../../platform/request/idempotency-key.ts'
import { answerOf, type Batch, type GivenAnswer, type Outcome } from './batch.ts'
import type { IngestionCounts } from './ingestion-metrics.ts'
import { type Verdict, validate } from './validate.ts'

export interface IngestionRequest {
  /** Of any JSON type: a fault of an item is an error of that item alone. */
  items: readonly unknown[]
  idempotency: IdempotencyKey | null
}

/** Where batches are stored. */
export interface Store {
  /** @throws AppError OVERLOADED when there is no room for another request */
  assertCapacity(): void
  /** Resolves once the batch is committed. */
  submit(batch: Batch): Promise<Outcome>
}

/** Judges every item, stores those that are right, and answers for each. */
export class IngestionService {
  readonly #store: Store
  readonly #strict: boolean
  readonly #counts: IngestionCounts

  constructor(store: Store, strict: boolean, counts: IngestionCounts) {
    this.#store = store
    this.#strict = strict
    this.#counts = counts
  }

  /**
   * @throws AppError BAD_USER_INPUT without items; IDEMPOTENCY_MISMATCH when the key came with another request;
   * OVERLOADED when nothing was stored and a later attempt may succeed
   */
  async ingest({ items, idempotency }: IngestionRequest): Promise<GivenAnswer> {
    if (items.length === 0) throw new AppError('BAD_USER_INPUT', 'The request contains no event')
    this.#store.assertCapacity()
    const now = currentTime()
    const batch = batchOf(
      items.map((item) => validate(item, now, this.#strict)),
      idempotency,
    )
    if (batch.items.length === 0) {
      this.#count(batch)
      return { ...answerOf(batch), replayed: false }
    }
    const answer = answerFor(batch, await this.#store.submit(batch))
    if (!answer.replayed) this.#count(batch)
    return answer
  }

  #count({ items, errors }: Batch): void {
    this.#counts.accepted(items.length)
    for (const { message } of errors) this.#counts.refused(message)
  }
}

function batchOf(verdicts: readonly Verdict[], idempotency: IdempotencyKey | null): Batch {
  const batch: Batch = { items: [], errors: [], idempotency }
  verdicts.forEach((verdict, index) => {
    if ('error' in verdict) batch.errors.push({ index, message: verdict.error })
    else batch.items.push({ index, occurrence: verdict.occurrence })
  })
  return batch
}

function answerFor(batch: Batch, outcome: Outcome): GivenAnswer {
  const { isReplay: replayed, answer } = outcome
  if (outcome.isReplay && outcome.digest !== batch.idempotency?.digest) throw idempotencyMismatch()
  return { ...answer, replayed }
}

import { AppError } from '../../../formats/errors.ts'
import type { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import {
  type IdempotencyKey,
  idempotencyMismatch,
} from '../../../platform/request/idempotency-key.ts'
import { answerOf, type Batch, type GivenAnswer, type Outcome } from './group-commit.ts'
import { type Verdict, validate } from './validate.ts'

export interface IngestionRequest {
  /** Items of any JSON type: a fault of an item is an error of that item alone. */
  items: readonly unknown[]
  /** By position, names of occurrences that count once. */
  occurrenceKeys?: readonly (string | null)[] | null
  idempotency: IdempotencyKey | null
}

/** Store of batches. */
export interface Store {
  /** @throws AppError OVERLOADED when there is no room for another request */
  assertCapacity(): void
  /** Resolves once the batch is committed. */
  submit(batch: Batch): Promise<Outcome>
}

/** Judges every item, stores those that are right, and answers for each. */
export class IngestionService {
  constructor(
    private readonly store: Store,
    private readonly strict: boolean,
    private readonly counts: IngestionCounts,
  ) {}

  /**
   * @throws AppError BAD_USER_INPUT without items; IDEMPOTENCY_MISMATCH when the key came with another request;
   * OVERLOADED when nothing was stored and a later attempt may succeed
   */
  async ingest({ items, occurrenceKeys, idempotency }: IngestionRequest): Promise<GivenAnswer> {
    if (items.length === 0) throw new AppError('BAD_USER_INPUT', 'The request contains no event')
    this.store.assertCapacity()
    const now = currentTime()
    const batch = batchOf(
      items.map((item) => validate(item, now, { strict: this.strict })),
      idempotency,
      occurrenceKeys ?? [],
    )
    if (batch.items.length === 0 && !idempotency) {
      this.#count(batch)
      return { ...answerOf(batch), replayed: false }
    }
    const answer = answerFor(batch, await this.store.submit(batch))
    if (!answer.replayed) this.#count(batch)
    return answer
  }

  #count({ items, errors }: Batch): void {
    this.counts.accepted(items.filter(({ isRepeat }) => !isRepeat).length)
    for (const { message } of errors) this.counts.refused(message)
  }
}

function batchOf(
  verdicts: readonly Verdict[],
  idempotency: IdempotencyKey | null,
  keys: readonly (string | null)[],
): Batch {
  const batch: Batch = { items: [], errors: [], idempotency }
  verdicts.forEach((verdict, index) => {
    if ('error' in verdict) batch.errors.push({ index, message: verdict.error })
    else {
      const key = keys[index]
      batch.items.push({ index, occurrence: verdict.occurrence, ...(key != null && { key }) })
    }
  })
  return batch
}

function answerFor(batch: Batch, outcome: Outcome): GivenAnswer {
  const { isReplay: replayed, answer } = outcome
  if (outcome.isReplay && outcome.digest !== batch.idempotency?.digest) throw idempotencyMismatch()
  return { ...answer, replayed }
}

const EVENTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000]

/** Counts of ingestion. */
export type IngestionCounts = ReturnType<typeof ingestionMetrics>

export function ingestionMetrics(metrics: ProcessMetrics) {
  const accepted = metrics.counter({
    name: 'assay_events_accepted_total',
    help: 'Events that were stored, repetitions under an idempotency key excluded.',
  })
  const refused = metrics.counter({
    name: 'assay_events_refused_total',
    help: 'Events that were refused one by one, by reason.',
    labels: ['reason'],
  })
  const batch = metrics.histogram(
    {
      name: 'assay_ingestion_batch_events',
      help: 'Events that one transaction stored.',
    },
    EVENTS,
  )
  const commit = metrics.histogram({
    name: 'assay_ingestion_commit_duration_seconds',
    help: 'Transactions that stored events, from their begin to their commit.',
  })
  return {
    accepted: (events: number) => accepted.inc(events),
    /** @param message what the client reads */
    refused: (message: string) => refused.inc({ reason: reasonOf(message) }),
    committed(events: number, seconds: number) {
      batch.observe(events)
      commit.observe(seconds)
    },
  }
}

/** Reasons by the beginning of messages about single events. */
const REASONS: readonly (readonly [string, RegExp])[] = [
  ['missing_field', /^The required field was missing/],
  ['wrong_type', /^The field has the wrong type|is not a JSON object$/],
  ['unreadable_time', /cannot be read as a time/],
  ['limit', /larger than|more than|at most/],
]

const reasonOf = (message: string): string =>
  REASONS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'not_storable'

import type { ProcessMetrics } from '../../platform/metrics/process-metrics.ts'

/** What ingestion counts. */
export interface IngestionCounts {
  accepted(events: number): void
  /** @param message what the client reads */
  refused(message: string): void
  committed(events: number, seconds: number): void
}

const EVENTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000]

export function ingestionMetrics(metrics: ProcessMetrics): IngestionCounts {
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
    accepted: (events) => accepted.inc(events),
    refused: (message) => refused.inc({ reason: reasonOf(message) }),
    committed(events, seconds) {
      batch.observe(events)
      commit.observe(seconds)
    },
  }
}

/** How messages of single events begin. */
const REASONS: readonly (readonly [string, RegExp])[] = [
  ['missing_field', /^The required field was missing/],
  ['wrong_type', /^The field has the wrong type|is not a JSON object$/],
  ['unreadable_time', /cannot be read as a time/],
  ['limit', /larger than|more than|at most/],
]

const reasonOf = (message: string): string =>
  REASONS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'not_storable'

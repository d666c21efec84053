import { outcomeOf } from '../../subgraphs/platform/metrics/operation-counts.ts'
import { inSpan } from '../../subgraphs/platform/tracing/trace.ts'
import type { OperationObserver } from '../federation/index.ts'
import type { Metrics } from './metrics.ts'

/** Counts and traces the operations that are prepared and run. */
export const operationMetrics = ({
  nameOf,
  operations,
  planHits,
  plans,
  subscriptions,
}: Metrics): OperationObserver => ({
  preparing: (prepare) => inSpan('prepare', {}, prepare),
  prepared: (seconds) => plans.observe(seconds),
  reused: () => planHits.inc(),
  of(given, kind) {
    const name = nameOf(given)
    const timers = {
      ok: operations.labels({ name, kind, outcome: 'ok' }),
      partial: operations.labels({ name, kind, outcome: 'partial' }),
      failed: operations.labels({ name, kind, outcome: 'failed' }),
    }
    return {
      running: ({ traceparent }, run) =>
        inSpan(`${kind} ${name}`, { isRoot: true, traceparent }, run),
      planned: (run) => inSpan('plan', {}, run),
      ran: (result, seconds) => timers[outcomeOf(result)].observe(seconds),
      subscribed() {
        subscriptions.inc({ name })
        return () => subscriptions.dec({ name })
      },
    }
  },
})

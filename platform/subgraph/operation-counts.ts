import { type DocumentNode, type ExecutionResult, getOperationAST, Kind } from 'graphql'
import type { ProcessMetrics } from '../metrics/process-metrics.ts'

/** Counts of one document of a subgraph. */
export interface OperationCount {
  ran(result: ExecutionResult | undefined, seconds: number): void
  /** @returns counts its end */
  subscribed(): () => void
}

/** Makes the counter of a document of a subgraph. */
export type OperationCounts = (subgraph: string, document: DocumentNode) => OperationCount

/** Counts of the subgraphs of a process. Made once for all of them. */
export function operationCounts(metrics: ProcessMetrics): OperationCounts {
  const durations = metrics.histogram({
    name: 'assay_subgraph_operation_duration_seconds',
    help: 'Queries and mutations that a subgraph of this process ran, by root field, kind and outcome (ok, partial, failed).',
    labels: ['subgraph', 'field', 'kind', 'outcome'],
  })
  const subscriptions = metrics.gauge({
    name: 'assay_subgraph_subscriptions',
    help: 'Subscriptions that are open at the subgraphs of this process, by root field.',
    labels: ['subgraph', 'field'],
  })
  return (subgraph, document) => {
    const operation = getOperationAST(document)
    const field = fieldOf(document)
    const timerOf = (outcome: Outcome) =>
      durations.labels({ subgraph, field, kind: operation?.operation ?? 'query', outcome })
    const timers = { ok: timerOf('ok'), partial: timerOf('partial'), failed: timerOf('failed') }
    return {
      ran: (result, seconds) => timers[outcomeOf(result)].observe(seconds),
      subscribed() {
        subscriptions.inc({ subgraph, field })
        return () => subscriptions.dec({ subgraph, field })
      },
    }
  }
}

/** The one root field, which the schema bounds; names of operations are chosen by clients. */
function fieldOf(document: DocumentNode): string {
  const selections = getOperationAST(document)?.selectionSet.selections ?? []
  const names = selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : ''))
  return names.length === 1 && names[0] ? names[0] : 'several'
}

type Outcome = 'ok' | 'partial' | 'failed'

/** @param result undefined where there is none */
export const outcomeOf = (result: ExecutionResult | undefined): Outcome => {
  if (!result?.errors) return result ? 'ok' : 'failed'
  return result.data == null ? 'failed' : 'partial'
}

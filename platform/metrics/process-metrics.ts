import { type DocumentNode, type ExecutionResult, getOperationAST, Kind } from 'graphql'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { unlessAborted } from '../async/unless-aborted.ts'
import { REVISION, VERSION } from '../process/version.ts'

/** Upper bounds in seconds: of what a request waits for, and of what a build waits for. */
export const DURATIONS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]
export const LONG_DURATIONS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400]

/** A value with its labels. */
export interface Sample {
  labels: Readonly<Record<string, string>>
  value: number
}

/** Reads a value that the process does not have itself. */
type Read = () => Promise<readonly Sample[]>

/** Prometheus gives up a page that takes longer than some seconds, with all that it would show. */
const READ_MS = 1_000

interface Described {
  name: string
  help: string
  labels?: readonly string[]
}

/** Metrics of a process, in the words of Prometheus. Labels take few values, whatever clients send. */
export class ProcessMetrics {
  readonly registry = new Registry()
  /** Functions that each scrape calls; parts of the process may share a metric. */
  readonly #reads = new Map<string, Read[]>()

  histogram({ name, help, labels = [] }: Described, buckets: number[] = DURATIONS) {
    const registers = [this.registry]
    return new Histogram({ name, help, labelNames: [...labels], buckets, registers })
  }

  counter({ name, help, labels = [] }: Described) {
    return new Counter({ name, help, labelNames: [...labels], registers: [this.registry] })
  }

  gauge({ name, help, labels = [] }: Described) {
    return new Gauge({ name, help, labelNames: [...labels], registers: [this.registry] })
  }

  /** A gauge that is read on each scrape. What cannot be read in time is left out, such as while the database is away. */
  watch({ name, help, labels = [] }: Described, reading: Read): void {
    const read = oneAtATime(reading)
    const known = this.#reads.get(name)
    if (known) {
      known.push(read)
      return
    }
    const reads = [read]
    this.#reads.set(name, reads)
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      async collect() {
        const late = AbortSignal.timeout(READ_MS)
        const all = await Promise.allSettled(reads.map((each) => unlessAborted(each(), late)))
        this.reset()
        // Without labels it would be 0 now.
        if (labels.length === 0) this.remove()
        for (const samples of all)
          if (samples.status === 'fulfilled')
            for (const { labels, value } of samples.value) this.set(labels, value)
      },
    })
  }
}

/** While a database is silent, scrapes share the read that waits for it. */
function oneAtATime(read: Read): Read {
  let reading: ReturnType<Read> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** Sums that prom-client names like counters, which promtool rejects; the metrics without `_total` have them by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** With what every process shows: its version, memory, processor time, event loop and garbage collection. */
export function startProcessMetrics(): ProcessMetrics {
  const metrics = new ProcessMetrics()
  collectDefaultMetrics({ register: metrics.registry })
  for (const name of MISNAMED) metrics.registry.removeSingleMetric(name)
  metrics
    .gauge({
      name: 'assay_build_info',
      help: 'Always 1; the labels name the version and commit of Assay, and the version of Node.',
      labels: ['version', 'revision', 'node'],
    })
    .set({ version: VERSION, revision: REVISION, node: process.version }, 1)
  return metrics
}

/**
 * Finds the timer of some values of the labels, in their order. prom-client sorts and joins labels each time that it looks
 * for one, which takes longer than to observe.
 */
export function timersOf<Label extends string>(
  histogram: Histogram<Label>,
): (...values: string[]) => Histogram.Internal<Label> {
  const known = new Map<string, Histogram.Internal<Label>>()
  return (...values) => {
    const key = values.join('\n')
    const timer = known.get(key) ?? histogram.labels(...values)
    known.set(key, timer)
    return timer
  }
}

/** Methods with a label of their own, as labels take few values; all others are `other`. */
export const METHOD_LABELS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
])

/** Made once for a process. */
export const httpRequests = (metrics: ProcessMetrics) =>
  metrics.histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Requests over HTTP that were answered, by method, route and status.',
    labels: ['method', 'route', 'status'],
  })

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

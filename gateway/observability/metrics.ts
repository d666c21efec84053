import { Counter, Gauge, Histogram } from 'prom-client'
import {
  DURATIONS,
  httpRequests,
  type ProcessMetrics,
  startProcessMetrics,
} from '../../platform/metrics/process-metrics.ts'
import { type ClientName, clientLabels } from './client-name.ts'

/** Distinct operation names with a label of their own; clients choose these names. */
const MAX_NAMES = 200

const COSTS = [1, 10, 100, 1_000, 10_000, 100_000]

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics of this process, in the words of Prometheus. Labels take few values, whatever clients send. */
export function createMetrics(ofProcess: ProcessMetrics = startProcessMetrics()) {
  const { registry } = ofProcess
  const registers = [registry]
  const names = new Set<string>()
  const labelsOf = clientLabels()
  const clients = new Counter({
    name: 'assay_graphql_client_requests_total',
    help: 'Requests to /graphql of clients that name themselves, by name, version and status.',
    labelNames: ['client', 'version', 'status'] as const,
    registers,
  })

  return {
    registry,
    /** The label of an operation: its name, or a common one after too many distinct names. */
    nameOf(name: string | undefined): string {
      if (!name) return 'anonymous'
      if (names.size < MAX_NAMES) names.add(name)
      return names.has(name) ? name : 'other'
    },
    countClient: (client: ClientName, status: string) =>
      clients.inc({ ...labelsOf(client), status }),
    operations: new Histogram({
      name: 'assay_graphql_operation_duration_seconds',
      help: 'Queries and mutations that ran, over GraphQL and REST, by name, kind and outcome (ok, partial, failed).',
      labelNames: ['name', 'kind', 'outcome'] as const,
      buckets: DURATIONS,
      registers,
    }),
    plans: new Histogram({
      name: 'assay_graphql_plan_duration_seconds',
      help: 'Operations that were parsed, validated, planned and compiled.',
      buckets: DURATIONS,
      registers,
    }),
    planHits: new Counter({
      name: 'assay_graphql_plan_cache_hits_total',
      help: 'Operations that were prepared already.',
      registers,
    }),
    refusals: new Counter({
      name: 'assay_graphql_limit_refusals_total',
      help: 'Operations that were refused because they ask for too much, by limit.',
      labelNames: ['limit'] as const,
      registers,
    }),
    costs: new Histogram({
      name: 'assay_graphql_operation_cost',
      help: 'Cost of operations by @cost and @listSize, by kind: estimated before, actual of the response.',
      labelNames: ['kind'] as const,
      buckets: COSTS,
      registers,
    }),
    subscriptions: new Gauge({
      name: 'assay_graphql_subscriptions',
      help: 'Subscriptions of clients that are open, by name.',
      labelNames: ['name'] as const,
      registers,
    }),
    fetches: new Histogram({
      name: 'assay_subgraph_request_duration_seconds',
      help: 'Requests to subgraphs, by kind and outcome (ok, errors, unreachable, http_error, timeout, …).',
      labelNames: ['subgraph', 'kind', 'outcome'] as const,
      buckets: DURATIONS,
      registers,
    }),
    streams: new Gauge({
      name: 'assay_subgraph_streams',
      help: 'Subscriptions that are open at subgraphs; equal ones of clients share one.',
      labelNames: ['subgraph'] as const,
      registers,
    }),
    requests: httpRequests(ofProcess),
    signInsRefused: new Counter({
      name: 'assay_sign_ins_refused_total',
      help: 'Requests whose sign-in was refused, by code (UNAUTHENTICATED, RATE_LIMITED, …).',
      labelNames: ['code'] as const,
      registers,
    }),
    receiversRefused: new Counter({
      name: 'assay_receivers_refused_total',
      help: 'Items that a receiver of another tool never accepts, by receiver.',
      labelNames: ['receiver'] as const,
      registers,
    }),
    /** A value that is read on each scrape. */
    watch(name: string, help: string, current: () => number | Promise<number>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await current())
        },
      })
    },
  }
}

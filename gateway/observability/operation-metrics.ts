import { GraphQLError } from 'graphql'
import { mapStream } from '../../subgraphs/platform/async/map-stream.ts'
import { outcomeOf } from '../../subgraphs/platform/metrics/operation-counts.ts'
import { inSpan } from '../../subgraphs/platform/tracing/trace.ts'
import type { OperationObserver, SubgraphLink } from '../federation/index.ts'
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

/** What a code says, such as `timeout` of DOWNSTREAM_TIMEOUT. */
function failureOf(error: unknown): string {
  const code = error instanceof GraphQLError ? error.extensions.code : undefined
  const [, failure = 'failed'] = /^DOWNSTREAM_(\w+)$/.exec(String(code)) ?? []
  return failure.toLowerCase()
}

/** A link that counts and traces what goes over it. */
export const measuredLink = (link: SubgraphLink, { fetches, streams }: Metrics): SubgraphLink => ({
  ...link,
  async execute(request, context) {
    const began = performance.now()
    const count = (outcome: string) =>
      fetches.observe(
        { subgraph: link.name, kind: request.kind, outcome },
        (performance.now() - began) / 1_000,
      )
    const fetch = {
      kind: 'client',
      attributes: { 'graphql.operation.type': request.kind },
    } as const
    try {
      const result = await inSpan(`fetch ${link.name}`, fetch, () => link.execute(request, context))
      count(result.errors ? 'errors' : 'ok')
      return result
    } catch (error) {
      count(failureOf(error))
      throw error
    }
  },
  async subscribe(request, context) {
    const stream = await link.subscribe(request, context)
    streams.inc({ subgraph: link.name })
    return mapStream(
      stream,
      async (result) => result,
      () => streams.dec({ subgraph: link.name }),
    )
  },
})

import { isDeepStrictEqual } from 'node:util'
import { type ExecutionResult, parse, print } from 'graphql'
import type { Json } from '../../../gateway/federation/executor/own.ts'
import { mergedOf, payloadsOf } from '../../support/federation/deferred.ts'
import { type Graph, graphOf } from '../../support/federation/graph.ts'
import { type ProvenanceGraph, provenanceGraph } from '../../support/federation/provenance-graph.ts'
import { withRandomDefers } from '../../support/federation/random-defers.ts'
import { randomOperation } from '../../support/federation/random-operation.ts'
import { randomSubgraphs } from '../../support/federation/random-subgraphs.ts'
import { type SeededRandom, seededRandom } from '../../support/federation/seeded-random.ts'

/** `DIFFERENTIAL_SEED=7 DIFFERENTIAL_GRAPHS=200` draws other and more graphs. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_266)
const count = Number(process.env.DIFFERENTIAL_GRAPHS ?? 10)
const OPERATIONS = 16

/** The next graph that composes. */
async function drawGraph(
  random: SeededRandom,
): Promise<{ traced: ProvenanceGraph; graph: Graph; sdls: Record<string, string> }> {
  for (;;) {
    const sdls = randomSubgraphs(random)
    const traced = provenanceGraph('a random graph', sdls)
    try {
      return { traced, sdls, graph: await graphOf(traced) }
    } catch (error) {
      // Faults of composition; all others are ours.
      if (!(error instanceof AggregateError)) throw error
    }
  }
}

const isRefused = ({ errors }: ExecutionResult): boolean =>
  errors?.[0]?.extensions?.code === 'OPERATION_LIMIT_EXCEEDED'

/** Data of an operation with random `@defer`, once all has come; none where a part failed. */
async function deferredData(
  { supergraph }: Graph,
  query: string,
  variables: Json,
  random: SeededRandom,
) {
  const document = withRandomDefers(parse(query), random)
  const operation = await supergraph.prepare(print(document))
  if (!('run' in operation) && isRefused({ errors: operation })) return undefined
  const merged = await mergedOf(payloadsOf(operation, 'incrementalSpec=v0.2', variables))
  return merged.hasFailed ? undefined : { data: merged.data }
}

test.each(Array.from({ length: count }, (_, index) => seed + index))(
  'a random graph of seed %i answers as one schema does',
  async (own) => {
    const random = seededRandom(own)
    const { traced, graph, sdls } = await drawGraph(random)
    try {
      for (let index = 0; index < OPERATIONS; index++) {
        const { query, variables } = randomOperation(graph.schema, random)
        const ours = await graph.ours(query, variables)
        if (isRefused(ours)) continue
        const right = traced.answer(graph.schema, query, variables)
        if (!isDeepStrictEqual(ours, right))
          expect({ sdls, query, variables, ...ours }).toEqual({ sdls, query, variables, ...right })
        const deferred = await deferredData(graph, query, variables, random)
        if (deferred) expect(deferred).toEqual({ data: right.data })
      }
    } finally {
      await graph.stop()
    }
  },
)

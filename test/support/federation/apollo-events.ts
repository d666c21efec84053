import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { executeQueryPlan } from '@apollo/gateway/dist/executeQueryPlan.js'
import { buildOperationContext } from '@apollo/gateway/dist/operationContext.js'
import { type PlanNode, QueryPlanner } from '@apollo/query-planner'
import { type DocumentNode, type ExecutionResult, parse } from 'graphql'
import type { Json } from '../../../gateway/federation/executor/own.ts'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { dataSourceOf, plain } from './apollo.ts'

/**
 * Responses of Apollo's executor to the events of a subscription, which it does not run itself: the plan's primary fetch
 * and the rest become a sequence, and the subgraph of the primary fetch answers it with a copy of the event.
 */
export async function apolloEvents(
  supergraphSdl: string,
  linkOf: (service: string) => SubgraphLink,
  text: string,
  variables: Json,
  context: Context,
): Promise<ExecutionResult[]> {
  const supergraph = Supergraph.build(supergraphSdl)
  const document: DocumentNode = parse(text)
  const apiSchema = supergraph.apiSchema()
  const { node } = new QueryPlanner(supergraph).buildQueryPlan(
    operationFromDocument(apiSchema, document),
  )
  if (node?.kind !== 'Subscription') throw new Error('The plan holds no subscription')
  const { primary, rest } = node
  const plan: PlanNode = { kind: 'Sequence', nodes: rest ? [primary, rest] : [primary] }
  const stream = await linkOf(primary.serviceName).subscribe(
    { document: primary.operation, variables, kind: 'subscription' },
    context,
  )
  const operationContext = buildOperationContext({
    schema: apiSchema.toGraphQLJSSchema(),
    operationDocument: document,
  })
  const results: ExecutionResult[] = []
  for await (const event of stream) {
    let isFirst = true
    const services = Object.fromEntries(
      [...supergraph.subgraphs().names()].map((name) => {
        const source = dataSourceOf(linkOf(name))
        const process: typeof source.process = async (options) => {
          if (name !== primary.serviceName || !isFirst) return source.process(options)
          isFirst = false
          return plain(event) as Awaited<ReturnType<typeof source.process>>
        }
        return [name, { process }]
      }),
    )
    const request = { request: { query: text, variables }, context, metrics: {}, logger: console }
    const given = request as unknown as Parameters<typeof executeQueryPlan>[2]
    results.push(
      plain(
        (await executeQueryPlan(
          { kind: 'QueryPlan', node: plan },
          services,
          given,
          operationContext,
          supergraph.schema.toGraphQLJSSchema(),
          apiSchema,
        )) as ExecutionResult,
      ),
    )
  }
  return results
}

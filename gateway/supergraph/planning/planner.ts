import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner'
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql'
import { withGatheredKeys, withUnconditionalParts } from './client-keys.ts'
import { fetchesOf } from './plan-fetches.ts'
import { withRequiredFields } from './required-fields.ts'
import { withResolvableKeys } from './resolvable-keys.ts'

export interface Planner {
  /** The schema that clients see. */
  schema: GraphQLSchema
  /**
   * Plans a valid operation. Its fetches gather data under the keys of response-key.ts.
   * @returns undefined where there is nothing to fetch
   */
  plan(document: DocumentNode, operationName?: string | null): QueryPlan['node']
}

/**
 * Apollo's planner, with its known faults mended before it and behind it. The package of ApolloGateway, which also holds
 * it, would load telemetry, composition and an executor besides.
 * @param options.validate of use where composition has not just validated it: it takes most of the time
 * @throws for what is no supergraph
 */
export function createPlanner(supergraphSdl: string, { validate = false } = {}): Planner {
  if (validate) Supergraph.build(supergraphSdl, { validateSupergraph: true })
  const build = (source: DocumentNode) => Supergraph.build(source, { validateSupergraph: false })
  const given = withResolvableKeys(parse(supergraphSdl, { noLocation: true }))
  const required = withRequiredFields(given)
  const supergraph = build(required.supergraph)
  const apiSchema = supergraph.apiSchema()
  const clientSchema = required.arguments.size > 0 ? build(given).apiSchema() : apiSchema
  const planner = new QueryPlanner(supergraph, { reuseQueryFragments: false })
  const graphOf = (service: string) => supergraph.subgraphNameToGraphEnumValue().get(service)
  return {
    schema: clientSchema.toGraphQLJSSchema(),
    plan(document, operationName) {
      const operation = operationFromDocument(
        apiSchema,
        withUnconditionalParts(withGatheredKeys(document)),
        {
          validate: false,
          ...(operationName ? { operationName } : {}),
        },
      )
      const { node } = planner.buildQueryPlan(operation)
      return node && fetchesOf(node, required, graphOf)
    },
  }
}

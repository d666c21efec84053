import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway'
import { type ExecutionResult, parse } from 'graphql'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { CALM } from './calm.ts'
import type { Graph } from './graph.ts'

/** Apollo's gateway over our links. */
export async function apolloOver(supergraphSdl: string, linkOf: (service: string) => SubgraphLink) {
  const gateway = new ApolloGateway({
    supergraphSdl,
    queryPlannerConfig: { reuseQueryFragments: false },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    buildService: ({ name }) => dataSourceOf(linkOf(name)),
  })
  const { schema, executor } = await gateway.load()
  const run: Graph['apollos'] = async (query, variables = {}, context = CALM) => {
    const request = { query, variables }
    // The executor reads only this part of Apollo Server's input.
    const given = {
      request,
      document: parse(query),
      queryHash: query,
      context,
      schema,
      metrics: {},
      logger: console,
      cache: new Map(),
      overallCachePolicy: {},
    }
    return plain(
      (await executor(given as unknown as Parameters<typeof executor>[0])) as ExecutionResult,
    )
  }
  return { run, stop: () => gateway.stop() }
}

/** A link as Apollo's executor uses it. */
export const dataSourceOf = (link: SubgraphLink): GraphQLDataSource => ({
  async process({ request, context }) {
    const { data, errors } = await link.execute(
      { document: request.query ?? '', variables: request.variables ?? {}, kind: 'query' },
      context as unknown as Context,
    )
    return plain({ data: data ?? null, ...(errors ? { errors } : {}) })
  },
})

/** As it would arrive over HTTP. */
export const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

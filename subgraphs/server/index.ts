import type { GraphQLSchema } from 'graphql'
import { buildSubgraph, subgraphSdl } from '../../platform/subgraph/build-subgraph.ts'
import { type FindObjects, NodeResolver } from './node.resolver.ts'
import { type ServerFacts, ServerResolver } from './server.resolver.ts'

export type { FindObjects }

const resolversOf = (facts: ServerFacts, find: FindObjects) => [
  new ServerResolver(facts),
  new NodeResolver(find),
]

/** SDL that this subgraph publishes. */
export const serverSdl = (): Promise<string> =>
  subgraphSdl(resolversOf({ authMode: 'none', settings: [] }, async () => []))

/** The subgraph of what the gateway itself knows. It always runs in the gateway's process and keeps nothing. */
export const buildServer = async (
  facts: ServerFacts,
  find: FindObjects,
): Promise<{ schema: GraphQLSchema }> => ({
  schema: await buildSubgraph({ resolvers: resolversOf(facts, find) }),
})

import type { GraphQLSchema } from 'graphql'
import { buildSubgraph, subgraphSdl } from '../shared/build-subgraph.ts'
import { type ServerFacts, ServerResolver } from './server.resolver.ts'

const resolversOf = (facts: ServerFacts) => [new ServerResolver(facts)]

/** What this subgraph publishes of itself. */
export const serverSdl = (): Promise<string> =>
  subgraphSdl(resolversOf({ authMode: 'none', settings: [] }))

/** The subgraph of what the gateway itself knows. It always runs in the gateway's process and keeps nothing. */
export const buildServer = async (facts: ServerFacts): Promise<{ schema: GraphQLSchema }> => ({
  schema: await buildSubgraph({ resolvers: resolversOf(facts) }),
})

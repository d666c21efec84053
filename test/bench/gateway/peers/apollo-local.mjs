// Apollo Server 5 with Apollo Gateway, its subgraphs in the same process.
import { readFileSync } from 'node:fs'
import { ApolloGateway, LocalGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { SUBGRAPHS } from './data.mjs'

const gateway = new ApolloGateway({
  supergraphSdl: readFileSync(process.env.SUPERGRAPH, 'utf8'),
  buildService: ({ name }) => {
    const { sdl, resolvers } = SUBGRAPHS[name]
    return new LocalGraphQLDataSource(buildSubgraphSchema({ typeDefs: parse(sdl), resolvers }))
  },
})
const server = new ApolloServer({ gateway, introspection: false })
const { url } = await startStandaloneServer(server, {
  listen: { host: '127.0.0.1', port: Number(process.env.PORT) },
})
console.log(`ready at ${url.replace(/\/$/, '')}/graphql`)

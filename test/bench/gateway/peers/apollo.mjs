// Apollo Server 5 with Apollo Gateway, over HTTP.
import { readFileSync } from 'node:fs'
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'

class Forwarding extends RemoteGraphQLDataSource {
  willSendRequest({ request, context }) {
    if (context.authorization) request.http.headers.set('authorization', context.authorization)
  }
}
const isForwarding = process.env.FORWARD === '1'
const gateway = new ApolloGateway({
  supergraphSdl: readFileSync(process.env.SUPERGRAPH, 'utf8'),
  ...(isForwarding && { buildService: ({ url }) => new Forwarding({ url }) }),
})
const server = new ApolloServer({ gateway, introspection: false })
const { url } = await startStandaloneServer(server, {
  ...(isForwarding && {
    context: async ({ req }) => ({ authorization: req.headers.authorization }),
  }),
  listen: { host: '127.0.0.1', port: Number(process.env.PORT) },
})
console.log(`ready at ${url.replace(/\/$/, '')}/graphql`)

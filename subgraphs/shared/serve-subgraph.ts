import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApolloServer } from '@apollo/server'
import { expressMiddleware } from '@as-integrations/express5'
import express from 'express'
import type { GraphQLSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { CALLER_HEADER, type CallerSignature, type Context } from './caller.ts'
import { withReleasers } from './releasers.ts'

export interface ServeOptions {
  host: string
  port: number
  signature: CallerSignature
  schema: GraphQLSchema
}

/** Serves a subgraph by itself: GraphQL over HTTP and WebSocket, to callers whose context the gateway signed. */
export const serveSubgraph = ({
  host,
  port,
  signature,
  schema,
}: ServeOptions): Promise<{ url: string; stop(): Promise<void> }> =>
  withReleasers(async (releasers) => {
    const server = new ApolloServer<Context>({ schema, stopOnTerminationSignals: false })
    await server.start()
    releasers.defer(() => server.stop())

    const app = express().disable('x-powered-by')
    app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
    app.use(
      '/graphql',
      express.json({ limit: '40mb' }),
      expressMiddleware(server, {
        context: async ({ req }) => ({
          caller: await signature.verify(req.headers[CALLER_HEADER]),
        }),
      }),
    )
    const http = createServer(app)
    const sockets = new WebSocketServer({ server: http, path: '/graphql' })
    const websocket = useServer(
      {
        schema,
        context: async (_connection, _id, payload): Promise<Context> => ({
          caller: await signature.verify(payload.extensions?.[CALLER_HEADER]),
        }),
      },
      sockets,
    )
    releasers.defer(() => websocket.dispose())

    http.listen(port, host)
    await once(http, 'listening')
    releasers.defer(async () => {
      http.close()
      http.closeIdleConnections()
      await once(http, 'close')
    })
    const address = http.address() as AddressInfo
    return { url: `http://${host}:${address.port}/graphql`, stop: () => releasers.release() }
  })

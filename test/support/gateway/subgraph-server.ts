import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { IResolvers } from '@graphql-tools/utils'
import { parse } from 'graphql'
import { createHandler } from 'graphql-http/lib/use/http'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'

/** A subgraph that is none of ours, over the wire. */
export interface SubgraphServer {
  url: string
  sdl: string
  /** The headers of every request over HTTP, in order. */
  requests: IncomingHttpHeaders[]
  /** The headers that opened each WebSocket that was ever opened. */
  sockets: IncomingHttpHeaders[]
  /** WebSockets that are open. */
  open(): number
  /** Ends all WebSockets without a word. */
  drop(): void
  stop(): Promise<void>
}

export interface SubgraphServerOptions {
  sdl: string
  resolvers: IResolvers
  /** 0 takes any. */
  port?: number
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable"])\n`

export async function startSubgraph({
  sdl,
  resolvers,
  port = 0,
}: SubgraphServerOptions): Promise<SubgraphServer> {
  const schema = buildSubgraphSchema({
    typeDefs: parse(LINK + sdl),
    resolvers: resolvers as never,
  })
  const requests: IncomingHttpHeaders[] = []
  const sockets: IncomingHttpHeaders[] = []
  const handle = createHandler({ schema })
  const http = createServer((request, response) => {
    requests.push(request.headers)
    void handle(request, response)
  })
  const webSockets = new WebSocketServer({ server: http, path: '/graphql' })
  webSockets.on('connection', (_socket, request) => sockets.push(request.headers))
  const server = useServer({ schema }, webSockets)
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const drop = () => {
    for (const client of webSockets.clients) client.terminate()
  }
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`,
    sdl: LINK + sdl,
    requests,
    sockets,
    open: () => webSockets.clients.size,
    drop,
    async stop() {
      drop()
      await server.dispose()
      http.close()
      http.closeAllConnections()
    },
  }
}

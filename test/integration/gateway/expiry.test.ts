import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { unreadResponses } from '../../../gateway/http/connection-bounds.ts'
import { GraphqlSse } from '../../../gateway/http/graphql/sse.ts'
import { HttpRequest, send } from '../../../gateway/http/http-message.ts'
import { STREAM_VARIABLES, streamSettings } from '../../../gateway/http/stream-settings.ts'
import { serveGraphqlWebSocket } from '../../../gateway/http/websocket/websocket.ts'
import { createClientOperations } from '../../../gateway/operations/client-operations.ts'
import { OPERATION_LIMITS } from '../../../gateway/operations/operation-limits.ts'
import { readEnv } from '../../../platform/settings/env.ts'
import { quiet } from '../../conformance/federation/suites/streams.ts'
import { type Graph, graphOf } from '../../support/federation/graph.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'

const LIVES_MS = 300

let graph: Graph
let http: Server
let url: string
let stop: () => Promise<unknown>
beforeAll(async () => {
  graph = await graphOf(quiet)
  const limits = readEnv({}, OPERATION_LIMITS)
  const operations = createClientOperations(graph.supergraph, {
    limits,
    introspection: true,
    automaticDocuments: false,
    trustedDocuments: undefined,
    trustedOnly: false,
  })
  const callerOf = () => ({
    requestId: 'r',
    user: 'ada',
    permissions: [],
    expiresAt: Date.now() + LIVES_MS,
  })
  const graphql = {
    operations,
    contextOf: () => ({ caller: callerOf() }),
    settings: streamSettings(readEnv({}, STREAM_VARIABLES)),
    watch: () => () => {},
    noteSent: unreadResponses(),
  }
  const sse = new GraphqlSse(graphql)
  http = createServer(async (message, response) =>
    send(response, sse.respond(new HttpRequest(message), await json(message)), 'a-request'),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const sockets = serveGraphqlWebSocket(http, {
    countClient() {},
    ...graphql,
    signIn: { of: callerOf },
    corsOrigins: [],
  })
  stop = () => Promise.all([sse.stop(), sockets.stop()])
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(async () => {
  await stop?.()
  http?.close()
  await graph?.stop()
})

test('a WebSocket is closed when the credentials of its caller end', async () => {
  const raw = await RawSocket.ready(url)
  raw.subscribe('1', 'subscription { nothing }')
  expect(await raw.closed).toEqual({ code: 4403, reason: 'Credentials expired' })
})

test('a stream of Server-Sent Events ends when the credentials of its caller do', async () => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'subscription { nothing }' }),
  })
  expect(await response.text()).toMatch(/"code":"UNAUTHENTICATED".*\n\nevent: complete\n/)
})

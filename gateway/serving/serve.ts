import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import express from 'express'
import type { RestBridge } from '../../rest-bridge/index.ts'
import type { Ingestion } from '../../rest-bridge/ingestion/ingestion.ts'
import { otherMethods } from '../../rest-bridge/paths.ts'
import { closeGracefully } from '../../subgraphs/shared/close-gracefully.ts'
import { isLoopback } from '../../subgraphs/shared/env.ts'
import type { Logger } from '../../subgraphs/shared/logger.ts'
import type { Releasers } from '../../subgraphs/shared/releasers.ts'
import type { FrontConfig, SupergraphConfig } from '../config.ts'
import type { SubgraphLink, Supergraph } from '../federation/index.ts'
import type { Metrics } from '../observability/metrics.ts'
import { countRequest } from '../observability/request-metrics.ts'
import { createClientOperations } from '../operations/client-operations.ts'
import { createSignIn } from '../sign-in/sign-in.ts'
import { createWatch } from '../sign-in/watch-sign-in.ts'
import { createContextOf } from './context-of.ts'
import { corsOf } from './cross-site.ts'
import { graphqlFailure, restFailure } from './failures.ts'
import type { Example } from './graphiql/examples.ts'
import { serveGraphiql } from './graphiql/graphiql.ts'
import { createGraphqlHttp } from './graphql-http.ts'
import { answerOptions } from './graphql-request.ts'
import { createGraphqlSse } from './graphql-sse.ts'
import { serveGraphqlWebSocket } from './graphql-websocket.ts'
import { healthz, type Probes, readyz } from './health.ts'
import { createHttpServer } from './http-server.ts'
import { serveMetrics } from './metrics-endpoint.ts'
import { nothingThere } from './nothing-there.ts'
import { requestRoom } from './overload.ts'
import { createQuickPath } from './quick-path.ts'
import { requestLog } from './request-log.ts'
import { takeWholeAddress } from './whole-address.ts'

export interface App {
  /** Where it answers, such as http://127.0.0.1:4000. */
  url: string
  stop(): Promise<void>
}

export interface Served {
  supergraph: Supergraph
  links: () => readonly SubgraphLink[]
  log: Logger
  releasers: Releasers
  metrics: Metrics
  bridge?: RestBridge
  /** Takes some requests before the router does. */
  ingestion?: { path: string; takes(request: IncomingMessage): boolean; ingest: Ingestion }
  facts?: object
  /** Queries that show that subgraphs are up; any does for one that has none. */
  probes?: Probes
  /** Operations that GraphiQL shows. */
  examples?: readonly Example[]
}

/** Answers clients over HTTP and WebSocket until it is stopped. */
export async function serve(
  {
    host,
    port,
    streams,
    forwardHeaders = [],
    corsOrigins,
    rules,
    http: httpLimits,
    signIn: settings,
  }: Omit<FrontConfig, 'apiRootPath' | 'ingestion' | 'logLevel' | 'planCacheSize' | 'maxPaths'> &
    Partial<SupergraphConfig>,
  {
    supergraph,
    links,
    log,
    releasers,
    metrics,
    bridge,
    ingestion,
    facts = {},
    probes,
    examples = [],
  }: Served,
): Promise<App> {
  if (settings.mode === 'none' && !isLoopback(host))
    log.warn({ host }, 'AUTH_MODE=none: everybody who reaches this address may do everything')
  const accounts = links().find(({ name }) => name === 'accounts')
  const signIn = createSignIn(settings, isLoopback(host), accounts, log)
  const watch = createWatch(signIn, settings, log)
  const contextOf = createContextOf(forwardHeaders)
  const operations = await createClientOperations(supergraph, rules, (limit) =>
    metrics.refusals.inc({ limit }),
  )
  const sse = createGraphqlSse(operations, contextOf, streams, watch)
  const graphql = await createGraphqlHttp(operations, contextOf, sse.handler, corsOrigins)
  releasers.defer(() => graphql.stop())

  let isStopping = false
  const room = requestRoom(httpLimits.requests)
  const app = express().disable('x-powered-by').disable('etag')
  const forOperators = {
    '/healthz': healthz(facts),
    '/readyz': readyz(links, () => isStopping, probes),
    '/metrics': serveMetrics(metrics),
  }
  for (const [path, tell] of Object.entries(forOperators))
    app
      .route(path)
      .get(tell)
      .all(otherMethods(['get']))
  app.use(room.refuse)
  app.options('/graphql', answerOptions)
  if (rules.introspection && !rules.trustedOnly) app.use('/graphql', serveGraphiql(examples))
  app.use('/graphql', ...graphql.handlers)
  app.use(bridge?.others ?? nothingThere)
  app.use('/graphql', graphqlFailure(settings.challenge))
  app.use(restFailure(settings.challenge))

  const share = corsOf(corsOrigins)
  const answer = createQuickPath(operations, contextOf, (request, response) => {
    if (!bridge?.answer(request, response)) app(request, response)
  })
  const logRequest = requestLog(log)
  const http = createHttpServer(httpLimits, log, '/graphql', (request, response) => {
    takeWholeAddress(request)
    logRequest(request, response)
    if (request.headers.origin !== undefined && /^\/graphql\b/.test(request.url ?? ''))
      share(request, response)
    const isIngestion = ingestion?.takes(request) ?? false
    countRequest(metrics, request, response, isIngestion ? ingestion?.path : undefined)
    const go = () => {
      if (ingestion && isIngestion) void ingestion.ingest(request, response)
      else if (room.admit(request, response)) answer(request, response)
      else app(request, response)
    }
    const caller = signIn.of(request)
    if (caller instanceof Promise) void caller.then(go)
    else go()
  })
  http.listen(port, host)
  await once(http, 'listening')
  metrics.watch(
    'assay_http_requests_in_flight',
    'Requests that are not answered yet.',
    room.inFlight,
  )
  metrics.watch('assay_http_connections', 'Open connections, WebSockets included.', () =>
    promisify(http.getConnections.bind(http))(),
  )
  const sockets = serveGraphqlWebSocket(
    http,
    '/graphql',
    operations,
    contextOf,
    streams,
    signIn,
    watch,
    corsOrigins,
    forwardHeaders,
  )
  releasers.defer(() => Promise.all([closeGracefully(http), sockets.stop(), sse.stop()]))
  releasers.defer(() => {
    isStopping = true
  })
  const address = http.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () => releasers.release(),
  }
}

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { requirePermission } from '../../platform/access/guard.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { Releasers } from '../../platform/process/releasers.ts'
import { isLoopback } from '../../platform/settings/env.ts'
import { closeGracefully, leaveGracefully } from '../../platform/subgraph/close-gracefully.ts'
import type { FrontConfig } from '../config.ts'
import type { SubgraphLink, Supergraph } from '../federation/index.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type ClientOperations, createClientOperations } from '../operations/client-operations.ts'
import { followTrustedDocuments, isAddress } from '../operations/trusted-documents.ts'
import { RemoteText } from '../settings-file/remote-text.ts'
import { createSignIn, type SignIn } from '../sign-in/sign-in.ts'
import { createWatch, SessionStreams, type WatchSignIn } from '../sign-in/watch-sign-in.ts'
import { unreadResponses } from './connection-bounds.ts'
import { type ContextOf, createContextOf, type Forwarded } from './graphql/context.ts'
import { graphqlDestination } from './graphql/graphql.ts'
import { schemaDestination } from './graphql/schema-document.ts'
import { GraphqlSse } from './graphql/sse.ts'
import { healthz, type Probes, readyz } from './health.ts'
import { textResponse } from './http-message.ts'
import { mcpDestinations } from './mcp/mcp.ts'
import type { Example } from './pages/graphiql/examples.ts'
import { graphiqlResponse } from './pages/graphiql/graphiql.ts'
import { graphiqlDestinations } from './pages/pages.ts'
import { Pipeline } from './pipeline.ts'
import { type Destination, type Endpoint, readable } from './router.ts'
import { createHttpServer } from './server.ts'
import { sessionDestination } from './session.ts'
import { loginDestinations } from './session-login.ts'
import { followTls, readTls } from './tls.ts'
import { serveGraphqlWebSocket } from './websocket/websocket.ts'

/** The gateway while it runs. */
export interface App {
  /** Address, such as http://127.0.0.1:4000. */
  url: string
  stop(): Promise<void>
}

type ServeConfig = Pick<
  FrontConfig,
  | 'host'
  | 'port'
  | 'streams'
  | 'corsOrigins'
  | 'rules'
  | 'http'
  | 'tls'
  | 'signIn'
  | 'accessLog'
  | 'mcp'
>

/** Parts of the product that are served. */
export interface Served {
  supergraph: Supergraph
  links: () => readonly SubgraphLink[]
  log: Logger
  releasers: Releasers
  metrics: Metrics
  /** Absent where subgraphs get none. */
  forwarded?: () => Forwarded
  /** Text of `/metrics`; absent for those of this process. */
  metricsText?: (() => Promise<string>) | undefined
  /** Destinations besides those of every gateway. */
  others?: readonly Destination[]
  /** Answers reads of paths that no destination has. */
  elsewhere?: Endpoint | undefined
  /** Documents of the product itself, trusted like those of TRUSTED_DOCUMENTS. */
  ownDocuments?: readonly string[]
  /** Documents of tools for assistants; absent where those of the operator are. */
  tools?: readonly string[]
  facts?: (() => object | Promise<object>) | undefined
  /** Queries that show that subgraphs are up; any does for one that has none. */
  probes?: Probes
  /** Operations that GraphiQL shows. */
  examples?: readonly Example[]
}

const GRAPHQL_PATH = '/graphql'

/** Answers clients over HTTP and WebSocket until it is stopped. */
export async function serveHttp(config: ServeConfig, served: Served): Promise<App> {
  const { host, port, streams: settings, corsOrigins } = config
  const { log, releasers, metrics, forwarded } = served
  logExposure(config, log)
  const signingIn = createSigningIn(config, served)
  const { signIn, watch } = signingIn
  const operations = await clientOperationsOf(config, served)
  const noteSent = unreadResponses()
  const contextOf = createContextOf(forwarded)
  const graphql = { operations, contextOf, settings, watch, noteSent }
  const sse = new GraphqlSse(graphql)

  let isStopping = false
  const pipeline = new Pipeline({
    destinations: [
      ...operatorDestinations(served, () => isStopping),
      ...clientDestinations(config, served, { signingIn, operations, contextOf, sse }),
    ],
    elsewhere: served.elsewhere,
    signIn,
    challenge: config.signIn.challenge,
    corsOrigins,
    limits: config.http,
    metrics,
    noteSent,
    accessLog: config.accessLog,
    log,
  })
  const tls = config.tls ? readTls(config.tls) : undefined
  const http = createHttpServer(
    { limits: config.http, log, socketsPath: GRAPHQL_PATH, failures: pipeline, tls },
    pipeline.listener,
  )
  // A connection that does not fit into the queue of the kernel waits for minutes and gets no response, not even a refusal.
  http.listen({ port, host, backlog: config.http.connections })
  await once(http, 'listening')
  if (config.tls) releasers.defer(followTls(http, config.tls, log))
  watchHttp(metrics, pipeline, http)
  const { countClient } = metrics
  const socketOptions = { ...graphql, signIn, corsOrigins, forwarded, countClient }
  const sockets = serveGraphqlWebSocket(http, socketOptions)
  releasers.defer((grace) =>
    Promise.all([
      closeGracefully(http, grace, () => {
        pipeline.giveUp()
        sse.giveUp()
      }),
      sockets.stop(),
      sse.stop(),
    ]),
  )
  releasers.defer(() => {
    isStopping = true
    return leaveGracefully(http, config.http.shutdownDelaySeconds)
  })
  const { port: own } = http.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `${tls ? 'https' : 'http'}://${name}:${own}`, stop: () => releasers.release() }
}

/** A proxy that passes X-Forwarded-For on lets clients choose the address that limits and the audit log go by. */
const PROXIES_BELIEVED =
  'Client addresses are taken from X-Forwarded-For of these proxies; each must set it, or append the address of its client'

/** Logs who is believed, and who may do everything. */
function logExposure({ host, signIn: { mode, proxyAddresses } }: ServeConfig, log: Logger): void {
  if (mode === 'none' && !isLoopback(host))
    log.warn({ host }, 'AUTH_MODE=none: everybody who reaches this address may do everything')
  if (proxyAddresses.length > 0)
    log.info({ PROXY_ADDRESSES: proxyAddresses.join(',') }, PROXIES_BELIEVED)
}

/** Identifies callers, and watches that those of open streams stay signed in. */
interface SigningIn {
  signIn: SignIn
  streams: SessionStreams
  watch: WatchSignIn
}

function createSigningIn({ host, signIn: settings }: ServeConfig, served: Served): SigningIn {
  const { links, log, releasers } = served
  const accounts = links().find(({ name }) => name === 'accounts')
  const signIn = createSignIn({ settings, isLocal: isLoopback(host), accounts, log })
  const streams = new SessionStreams()
  if (accounts) releasers.defer(streams.follow(accounts))
  return { signIn, streams, watch: createWatch(signIn, settings, log, streams) }
}

async function clientOperationsOf({ rules }: ServeConfig, served: Served) {
  const { supergraph, log, releasers, metrics, ownDocuments = [] } = served
  const { trustedDocuments: url, remoteDocuments } = rules
  const trusted =
    url && isAddress(url)
      ? await followTrustedDocuments(
          new RemoteText({ ...remoteDocuments, name: 'trusted documents', url, log }),
          ownDocuments,
          log,
        )
      : undefined
  releasers.defer(() => trusted?.stop())
  return createClientOperations(
    supergraph,
    { ...rules, ownDocuments, trusted },
    (limit) => metrics.refusals.inc({ limit }),
    (kind, cost) => metrics.costs.observe({ kind }, cost),
  )
}

function watchHttp(
  metrics: Metrics,
  pipeline: Pipeline,
  http: ReturnType<typeof createHttpServer>,
): void {
  metrics.watch(
    'assay_http_requests_in_flight',
    'Requests that are not answered yet.',
    () => pipeline.inFlight,
  )
  metrics.watch('assay_http_connections', 'Open connections, WebSockets included.', () =>
    promisify(http.getConnections.bind(http))(),
  )
}

/** For programs of operators. */
function operatorDestinations(served: Served, isStopping: () => boolean): Destination[] {
  const { links, log, metrics, facts, probes } = served
  const { metricsText = () => metrics.registry.metrics() } = served
  return [
    operators('/healthz', healthz(facts)),
    operators('/readyz', readyz(links, isStopping, log, probes)),
    operators('/metrics', metricsOf(metrics, metricsText)),
  ]
}

interface Parts {
  signingIn: SigningIn
  operations: ClientOperations
  contextOf: ContextOf
  sse: GraphqlSse
}

function clientDestinations(
  { rules, mcp, signIn: { mode, oidc } }: ServeConfig,
  { tools, examples = [], others = [], log }: Served,
  { signingIn: { signIn, streams }, operations, contextOf, sse }: Parts,
): Destination[] {
  const { provider, sessions } = signIn
  const isSchemaShown = rules.introspection && !rules.trustedOnly
  const page = isSchemaShown ? graphiqlResponse(examples) : undefined
  return [
    sessionDestination({ signIn, mode, streams }),
    ...(provider && sessions ? loginDestinations({ signIn, provider, sessions }) : []),
    graphqlDestination({ operations, contextOf, sse, page }),
    schemaDestination(operations),
    ...(isSchemaShown ? graphiqlDestinations() : []),
    ...(mcp.isOn
      ? mcpDestinations({
          settings: mcp,
          documents: tools ?? operations.trusted,
          isForeign: tools === undefined,
          ...{ operations, contextOf, signIn, log },
          issuer: mode === 'oidc' ? oidc.issuer : '',
          isOpen: mode === 'none',
        })
      : []),
    ...others,
  ]
}

/** Operators look when there is too much to do, too. */
const operators = (path: string, handle: Endpoint['handle']): Destination =>
  readable(path, { handle, isUnlimited: true })

/** The metrics show how much is done, and nothing of its content. */
const metricsOf =
  ({ registry }: Metrics, text: () => Promise<string>): Endpoint['handle'] =>
  async ({ caller }) => {
    requirePermission(caller, 'executions:read')
    return textResponse({
      status: 200,
      body: await text(),
      mediaType: 'text/plain',
      headers: { 'Content-Type': registry.contentType },
    })
  }

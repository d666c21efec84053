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
import { createClientOperations } from '../operations/client-operations.ts'
import { followTrustedDocuments, isAddress } from '../operations/trusted-documents.ts'
import { RemoteText } from '../settings-file/remote-text.ts'
import { createSignIn } from '../sign-in/sign-in.ts'
import { createWatch, SessionStreams } from '../sign-in/watch-sign-in.ts'
import { createContextOf, type Forwarded } from './graphql/context.ts'
import { graphqlDestination } from './graphql/graphql.ts'
import { schemaDestination } from './graphql/schema-document.ts'
import { createGraphqlSse } from './graphql/sse.ts'
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
import { unreadResponses } from './unread-responses.ts'
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

/** A proxy that passes X-Forwarded-For on lets clients choose the address that limits and the audit log go by. */
const PROXIES_BELIEVED =
  'Client addresses are taken from X-Forwarded-For of these proxies; each must set it, or append the address of its client'

/** Answers clients over HTTP and WebSocket until it is stopped. */
export async function serveHttp(config: ServeConfig, served: Served): Promise<App> {
  const { host, port, streams: settings, corsOrigins, rules } = config
  const { links, log, releasers, metrics, others = [], facts, examples = [] } = served
  const { forwarded, ownDocuments = [], metricsText = () => metrics.registry.metrics() } = served
  const isLocal = isLoopback(host)
  if (config.signIn.mode === 'none' && !isLocal)
    log.warn({ host }, 'AUTH_MODE=none: everybody who reaches this address may do everything')
  const { proxyAddresses } = config.signIn
  if (proxyAddresses.length > 0)
    log.info({ PROXY_ADDRESSES: proxyAddresses.join(',') }, PROXIES_BELIEVED)
  const accounts = links().find(({ name }) => name === 'accounts')
  const signIn = createSignIn({ settings: config.signIn, isLocal, accounts, log })
  const { provider, sessions } = signIn
  const sessionStreams = new SessionStreams()
  if (accounts) releasers.defer(sessionStreams.follow(accounts))
  const watch = createWatch(signIn, config.signIn, log, sessionStreams)
  const contextOf = createContextOf(forwarded)
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
  const operations = createClientOperations(
    served.supergraph,
    { ...rules, ownDocuments, trusted },
    (limit) => metrics.refusals.inc({ limit }),
    (kind, cost) => metrics.costs.observe({ kind }, cost),
  )
  const noteSent = unreadResponses()
  const graphql = { operations, contextOf, settings, watch, noteSent }
  const sse = createGraphqlSse(graphql)
  const isSchemaShown = rules.introspection && !rules.trustedOnly

  let isStopping = false
  const pipeline = new Pipeline({
    destinations: [
      operators('/healthz', healthz(facts)),
      operators(
        '/readyz',
        readyz(links, () => isStopping, log, served.probes),
      ),
      operators('/metrics', metricsOf(metrics, metricsText)),
      sessionDestination({ signIn, mode: config.signIn.mode, streams: sessionStreams }),
      ...(provider && sessions ? loginDestinations({ signIn, provider, sessions }) : []),
      graphqlDestination({
        ...graphql,
        sse: sse.respond,
        deliver: sse.deliver,
        page: isSchemaShown ? graphiqlResponse(examples) : undefined,
      }),
      schemaDestination(operations),
      ...(isSchemaShown ? graphiqlDestinations() : []),
      ...(config.mcp.isOn
        ? mcpDestinations({
            settings: config.mcp,
            documents: served.tools ?? operations.trusted,
            isForeign: served.tools === undefined,
            ...{ operations, contextOf, signIn, log },
            issuer: config.signIn.mode === 'oidc' ? config.signIn.oidc.issuer : '',
            isOpen: config.signIn.mode === 'none',
          })
        : []),
      ...others,
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
  metrics.watch(
    'assay_http_requests_in_flight',
    'Requests that are not answered yet.',
    () => pipeline.inFlight,
  )
  metrics.watch('assay_http_connections', 'Open connections, WebSockets included.', () =>
    promisify(http.getConnections.bind(http))(),
  )
  const sockets = serveGraphqlWebSocket(http, {
    ...graphql,
    signIn,
    corsOrigins,
    forwarded,
    countClient: metrics.countClient,
  })
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
  const address = http.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () => releasers.release(),
  }
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

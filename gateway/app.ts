import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createRestBridge, routes } from '../rest-bridge/index.ts'
import { startEvents } from '../subgraphs/events/index.ts'
import { createCallerSignature } from '../subgraphs/shared/caller.ts'
import { closeGracefully } from '../subgraphs/shared/close-gracefully.ts'
import { startJobs } from '../subgraphs/shared/jobs.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { createOutbound } from '../subgraphs/shared/outbound/outbound.ts'
import { portsOf } from '../subgraphs/shared/outbound/own-ports.ts'
import { startPubSub } from '../subgraphs/shared/pub-sub/start.ts'
import { type Releasers, withReleasers } from '../subgraphs/shared/releasers.ts'
import { startTestExecution, startWorker } from '../subgraphs/test-execution/index.ts'
import type { AllInOneConfig, FrontConfig, GatewayConfig } from './config.ts'
import type { Database } from './database.ts'
import type { SubgraphLink } from './links/link.ts'
import { localLink } from './links/local-link.ts'
import { callerOf } from './serving/caller-of.ts'
import { createGraphqlHttp } from './serving/graphql-http.ts'
import { serveGraphqlWebSocket } from './serving/graphql-websocket.ts'
import { healthz, readyz } from './serving/health.ts'
import { requestLog } from './serving/request-log.ts'
import { loadSupergraph, type Supergraph } from './supergraph/supergraph.ts'

export interface App {
  /** Where it answers, such as http://127.0.0.1:4000. */
  url: string
  stop(): Promise<void>
}

const SUPERGRAPH = new URL('../schema/supergraph.graphql', import.meta.url)

/** Everything in this process, which stops the database too. Each start is followed by its way back. */
export const startAllInOne = (
  config: AllInOneConfig,
  database: Database,
  log: Logger,
): Promise<App> =>
  withReleasers(async (releasers) => {
    releasers.defer(() => database.stop())
    const { url: databaseUrl, secretsKey, callbackSigningSecret } = database
    const pubSub = await startPubSub({ natsUrl: config.natsUrl, databaseUrl }, log)
    releasers.defer(() => pubSub.stop())
    const jobs = await startJobs(databaseUrl, log)
    releasers.defer(() => jobs.stop())
    const ownPorts = new Set(portsOf(databaseUrl, config.natsUrl))
    const outbound = createOutbound({ allow: config.outboundAllow, ownPorts })
    const deps = { databaseUrl, pubSub, jobs, outbound, log }

    const events = await startEvents(deps, config.events)
    releasers.defer(() => events.stop())
    const testExecution = await startTestExecution({
      ...deps,
      secretsKey,
      examples: config.examples,
    })
    releasers.defer(() => testExecution.stop())
    const worker = await startWorker({
      ...deps,
      secretsKey,
      sandboxMode: config.sandbox,
      slots: config.workerSlots,
      callbacks: { signingSecret: callbackSigningSecret },
    })
    releasers.defer(() => worker.stop())
    // Running executions end while what they need is still there.
    releasers.defer(() => jobs.stop())

    const app = await startFront(
      config,
      [
        localLink('test-execution', testExecution.schema, log),
        localLink('events', events.schema, log),
      ],
      log,
      releasers,
      { sandbox: worker.sandbox },
    )
    for (const port of portsOf(app.url)) ownPorts.add(port)
    return app
  })

/** The gateway alone; its subgraphs run elsewhere and need not be up yet. */
export const startGateway = (config: GatewayConfig, log: Logger): Promise<App> =>
  withReleasers(async (releasers) => {
    const { remoteLink } = await import('./links/remote-link.ts')
    const signature = createCallerSignature(config.internalSecret)
    return startFront(
      config,
      [
        remoteLink({ name: 'test-execution', url: config.testExecutionUrl, signature }),
        remoteLink({ name: 'events', url: config.eventsUrl, signature }),
      ],
      log,
      releasers,
    )
  })

async function startFront(
  { host, port, apiRootPath }: FrontConfig,
  links: readonly SubgraphLink[],
  log: Logger,
  releasers: Releasers,
  facts: object = {},
): Promise<App> {
  for (const link of links) releasers.defer(() => link.stop())
  const supergraph = loadSupergraph(await readFile(SUPERGRAPH, 'utf8'), links, log)
  const graphql = await createGraphqlHttp(supergraph)
  releasers.defer(() => graphql.stop())

  const app = express().disable('x-powered-by').disable('etag')
  app.use(requestLog(log))
  app.get('/healthz', healthz(facts))
  app.get('/readyz', readyz(links))
  app.use('/graphql', ...graphql.handlers)
  app.use(bridgeOver(supergraph, apiRootPath, log))

  const http = createServer(app)
  http.listen(port, host)
  await once(http, 'listening')
  releasers.defer(() => closeGracefully(http))
  const sockets = serveGraphqlWebSocket(http, '/graphql', supergraph)
  releasers.defer(() => sockets.stop())
  const address = http.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () => releasers.release(),
  }
}

function bridgeOver(supergraph: Supergraph, root: string, log: Logger) {
  const prepared = new Map(
    routes.map(({ operation }) => {
      const made = supergraph.prepare(operation)
      if (!('run' in made))
        throw new AggregateError(made, `A REST route does not fit: ${operation}`)
      return [operation, made]
    }),
  )
  return createRestBridge(root, {
    async execute(operation, variables, caller) {
      const made = prepared.get(operation)
      if (!made) throw new Error(`No REST route has this operation: ${operation}`)
      return made.run(variables, { caller })
    },
    callerOf,
    onInternalError: (error, requestId) => log.error({ err: error, requestId }, 'A request failed'),
  })
}

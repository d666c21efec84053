import { readFile } from 'node:fs/promises'
import { startAccounts } from '../subgraphs/accounts/index.ts'
import { startEvents } from '../subgraphs/events/index.ts'
import { createCallerSignature } from '../subgraphs/shared/caller.ts'
import { startJobs } from '../subgraphs/shared/jobs.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { createOutbound } from '../subgraphs/shared/outbound/outbound.ts'
import { portsOf } from '../subgraphs/shared/outbound/own-ports.ts'
import { startPubSub } from '../subgraphs/shared/pub-sub/start.ts'
import { type Releasers, withReleasers } from '../subgraphs/shared/releasers.ts'
import {
  startEvaluation,
  startTestExecution,
  startWorker,
} from '../subgraphs/test-execution/index.ts'
import { bridgeOver } from './bridge.ts'
import type { AllInOneConfig, FrontConfig, GatewayConfig, SupergraphConfig } from './config.ts'
import type { Database } from './database.ts'
import { forwardedHeaders, signedCaller } from './links/introduction.ts'
import type { SubgraphLink } from './links/link.ts'
import { localLink } from './links/local-link.ts'
import { measuredLink } from './observability/measured-link.ts'
import { measuredSupergraph } from './observability/measured-supergraph.ts'
import { createMetrics, type QueueSize } from './observability/metrics.ts'
import { EXAMPLES } from './serving/graphiql/examples.ts'
import { OWN_PROBES } from './serving/health.ts'
import { type App, serve } from './serving/serve.ts'
import { LiveStreams } from './subscriptions/live-streams.ts'
import type { NamedSubgraph } from './supergraph/subgraphs.ts'
import { loadSupergraph } from './supergraph/supergraph.ts'
import { openSupergraphFile } from './supergraph/supergraph-file.ts'

/** Our own subgraphs hardly overlap, so that a field takes some 0.02 ms to plan. */
const MAX_FIELDS_ON_THE_SPOT = 100

const SUPERGRAPH = new URL('../schema/supergraph.graphql', import.meta.url)

/** Everything in this process, which stops the database too. Each start is followed by its way back. */
export const startAllInOne = (
  config: AllInOneConfig,
  database: Database,
  log: Logger,
): Promise<App> =>
  withReleasers(async (releasers) => {
    releasers.defer(() => database.stop())
    const { url: databaseUrl, secretsKey, previousSecretsKey, callbackSigningSecret } = database
    const pubSub = await startPubSub({ natsUrl: config.natsUrl, databaseUrl }, log)
    releasers.defer(() => pubSub.stop())
    const jobs = await startJobs(databaseUrl, log)
    releasers.defer(() => jobs.stop())
    const ownPorts = new Set(portsOf(databaseUrl, config.natsUrl))
    const outbound = createOutbound({ allow: config.outboundAllow, ownPorts })
    const { commandSteps } = config
    const deps = { databaseUrl, pubSub, jobs, outbound, commandSteps, log }

    const events = await startEvents(deps, config.events)
    releasers.defer(() => events.stop())
    const keys = { secretsKey, previousSecretsKey }
    const evaluation = startEvaluation(config.evaluationMs)
    releasers.defer(() => evaluation.stop())
    const testExecution = await startTestExecution({
      ...deps,
      ...keys,
      evaluation,
      examples: config.examples,
    })
    releasers.defer(() => testExecution.stop())
    const worker = await startWorker({
      ...deps,
      ...keys,
      evaluation,
      sandboxMode: config.sandbox,
      slots: config.workerSlots,
      readySandboxes: config.readySandboxes,
      reuseSandboxes: config.reuseSandboxes,
      programLimits: config.programLimits,
      retention: config.retention,
      callbacks: { signingSecret: callbackSigningSecret },
    })
    releasers.defer(() => worker.stop())
    // Running executions end while what they need is still there.
    releasers.defer(() => jobs.stop())

    const accounts = await startAccounts(deps, config.accounts)
    releasers.defer(() => accounts.stop())

    const app = await startFront(
      config,
      [
        localLink('test-execution', testExecution, log),
        localLink('events', events, log),
        localLink('accounts', accounts, log),
      ],
      log,
      releasers,
      { facts: { sandbox: worker.sandbox }, queues: () => jobs.sizes() },
    )
    for (const port of portsOf(app.url)) ownPorts.add(port)
    return app
  })

/** The gateway alone; its subgraphs run elsewhere and need not be up yet. */
export const startGateway = (config: GatewayConfig, log: Logger): Promise<App> =>
  withReleasers(async (releasers) => {
    const { remoteLink } = await import('./links/remote-link.ts')
    const introduction = signedCaller(createCallerSignature(config.internalSecret))
    return startFront(
      config,
      [
        remoteLink({ name: 'test-execution', url: config.testExecutionUrl, introduction }),
        remoteLink({ name: 'events', url: config.eventsUrl, introduction }),
        remoteLink({ name: 'accounts', url: config.accountsUrl, introduction }),
      ],
      log,
      releasers,
    )
  })

/** The gateway alone, in front of a supergraph of others. It needs nothing of ours, and none of them to be up. */
export const startSupergraph = (config: SupergraphConfig, log: Logger): Promise<App> =>
  withReleasers(async (releasers) => {
    const { remoteLink } = await import('./links/remote-link.ts')
    const metrics = createMetrics()
    const linkTo = (subgraph: NamedSubgraph) =>
      measuredLink(remoteLink({ ...subgraph, introduction: forwardedHeaders }), metrics)
    const supergraph = await openSupergraphFile(
      { ...config, linkTo, streams: new LiveStreams(log, config.streams) },
      log,
    )
    releasers.defer(() => supergraph.stop())
    process.on('SIGHUP', supergraph.reload)
    releasers.defer(() => process.off('SIGHUP', supergraph.reload))
    return serve(config, {
      supergraph: measuredSupergraph(supergraph, metrics, supergraph.wasWarmed),
      links: supergraph.links,
      log,
      releasers,
      metrics,
    })
  })

/** Serves our own supergraph, and REST over it. */
async function startFront(
  config: FrontConfig,
  given: readonly SubgraphLink[],
  log: Logger,
  releasers: Releasers,
  { facts = {}, queues }: { facts?: object; queues?: () => Promise<QueueSize[]> } = {},
): Promise<App> {
  const metrics = createMetrics()
  if (queues) metrics.watchQueues(queues)
  const links = given.map((link) => measuredLink(link, metrics))
  for (const link of links) releasers.defer(() => link.stop())
  const unmeasured = loadSupergraph(await readFile(SUPERGRAPH, 'utf8'), links, log, {
    ...config,
    streams: new LiveStreams(log, config.streams),
    maxFieldsOnTheSpot: MAX_FIELDS_ON_THE_SPOT,
  })
  releasers.defer(() => unmeasured.stop())
  const supergraph = measuredSupergraph(unmeasured, metrics)
  const bridge = await bridgeOver(supergraph, config, log, releasers)
  const { waiting } = bridge.ingestion
  metrics.watch(
    'assay_ingestion_waiting_events',
    'Events that were sent and are not stored yet.',
    () => waiting().events,
  )
  metrics.watch(
    'assay_ingestion_waiting_bytes',
    'Bytes of the requests that bring them.',
    () => waiting().bytes,
  )
  return serve(config, {
    supergraph,
    links: () => given,
    log,
    releasers,
    metrics,
    ...bridge,
    facts,
    probes: OWN_PROBES,
    examples: EXAMPLES,
  })
}

import { readFile } from 'node:fs/promises'
import { COMMAND_DOCUMENTS } from '../formats/command-documents.ts'
import { createCallerSignature } from '../platform/access/caller-signature.ts'
import { isShared, sharedCaller } from '../platform/access/sharing.ts'
import { databaseUrls } from '../platform/database/database-servers.ts'
import { startJobs } from '../platform/jobs/jobs.ts'
import {
  type OperationCounts,
  operationCounts,
  type ProcessMetrics,
  startProcessMetrics,
} from '../platform/metrics/process-metrics.ts'
import { watchQueues } from '../platform/metrics/shared-metrics.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { portsOf } from '../platform/outbound/own-ports.ts'
import { followDatabaseClock } from '../platform/process/clock.ts'
import type { Logger } from '../platform/process/logger.ts'
import { type Releasers, withReleasers } from '../platform/process/releasers.ts'
import { VERSION } from '../platform/process/version.ts'
import { startPubSub } from '../platform/pub-sub/start.ts'
import { BEAT_MS } from '../platform/subgraph/heartbeat.ts'
import { traceHeaders } from '../platform/tracing/trace.ts'
import { startAccounts } from '../subgraphs/accounts/index.ts'
import { startEvents } from '../subgraphs/events/index.ts'
import { buildServer } from '../subgraphs/server/index.ts'
import {
  type SandboxCapabilities,
  startEvaluation,
  startTestExecution,
  startWorker,
  type TestExecutionDeps,
} from '../subgraphs/test-execution/index.ts'
import type { AllInOneConfig, FrontConfig, GatewayConfig } from './config.ts'
import type { Database } from './database.ts'
import { exactJson } from './exact-json.ts'
import { Changes, loadRemoteLink, loadSupergraph, type SubgraphLink } from './federation/index.ts'
import { findObjects } from './find-objects.ts'
import { OWN_PROBES, pausedElsewhere } from './http/health.ts'
import { type App, serveHttp } from './http/index.ts'
import { EXAMPLES } from './http/pages/graphiql/examples.ts'
import { createWebClient, webDocuments } from './http/pages/web.ts'
import { createRest } from './http/rest/index.ts'
import { storedReceivers } from './http/rest/stored-receivers.ts'
import { localLink } from './local-link.ts'
import { ownToolDocuments } from './mcp/tools.ts'
import { createMetrics } from './observability/metrics.ts'
import { measuredLink } from './observability/observers.ts'
import { metricsOfAll } from './processes/member.ts'
import type { Member } from './processes/messages.ts'
import { signedCaller } from './signed-caller.ts'
import { supergraphOptions } from './start-supergraph.ts'

/** Our own subgraphs hardly overlap, so that a field takes some 0.02 ms to plan. */
const MAX_FIELDS_ON_THE_SPOT = 100

/** A subgraph that works says so every few seconds; one that says nothing for as long as this is lost. */
const SILENCE_MS = 4 * BEAT_MS

const SUPERGRAPH = new URL('../schema/supergraph.graphql', import.meta.url)

/** All parts in one process. */
export interface AllInOne extends App {
  sandbox: SandboxCapabilities | undefined
}

/**
 * Everything in this process, which stops the database too. Each start is followed by its way back.
 * @param member where PROCESSES starts several: which one of them it is
 */
export const startAllInOne = (
  config: AllInOneConfig,
  database: Database,
  log: Logger,
  member?: Member,
): Promise<AllInOne> =>
  withReleasers(async (releasers) => {
    releasers.defer(() => database.stop())
    const { deps, ownPorts } = await startDeps(config, database, log, releasers)
    const { outbound, metrics } = deps
    const { secretsKey, previousSecretsKey, callbackSigningSecret } = database
    const keys = { secretsKey, previousSecretsKey }
    const delivery = { outbound, keys, signingSecret: callbackSigningSecret, smtp: config.smtp }
    const events = await startEvents({ ...deps, delivery }, config.events)
    releasers.defer(() => events.stop())
    const evaluation = startEvaluation(config.evaluationMs)
    releasers.defer(() => evaluation.stop())
    const testExecution = await startTestExecution({
      ...deps,
      ...keys,
      evaluation,
      examples: config.examples,
      executionsQueue: config.executionsQueue,
      schedules: config.schedules,
      openCallbacksPerMinute: config.openCallbacksPerMinute,
      pageBytes: config.events.pageBytes,
      imports: config.imports,
      attachmentLimits: config.worker.attachmentLimits,
    })
    releasers.defer(() => testExecution.stop())
    const worker = await startRunner(config, { ...deps, ...keys, evaluation }, database, member)
    releasers.defer(() => worker?.stop())
    const sandbox = worker?.sandbox ?? member?.sandbox
    // Running executions end while what they need is still there.
    releasers.defer((grace) => deps.jobs.stop(grace))

    const accounts = await startAccounts(deps, config.accounts)
    releasers.defer(() => accounts.stop())

    const counts = operationCounts(metrics)
    const served = { counts, maxResponse: config.rules.limits.OPERATION_MAX_RESPONSE }
    const app = await startFront(
      config,
      [
        localLink('test-execution', testExecution, log, served),
        localLink('events', events, log, served),
        localLink('accounts', accounts, log, served),
      ],
      {
        log,
        releasers,
        facts: () => ({ sandbox, ...events.facts(), ...testExecution.facts() }),
        metrics,
        counts,
        member,
      },
    )
    for (const port of portsOf(app.url)) ownPorts.add(port)
    return { ...app, sandbox }
  })

/** Starts what the subgraphs of one process share. */
async function startDeps(
  config: AllInOneConfig,
  database: Database,
  log: Logger,
  releasers: Releasers,
) {
  const urls = databaseUrls(database, 'server')
  const { databaseUrl, directUrl = databaseUrl } = urls
  const pubSub = await startPubSub({ natsUrl: config.natsUrl, directUrl }, log)
  releasers.defer(() => pubSub.stop())
  const jobs = await startJobs(directUrl, log)
  releasers.defer(() => jobs.stop())
  /** Ports of the product itself, which users reach nothing of. */
  const ownPorts = new Set(portsOf(databaseUrl, directUrl, config.natsUrl))
  const { commandSteps, outboundAllow: allow, outboundProxy: proxy } = config
  const outbound = createOutbound({ allow, proxy, ownPorts })
  const metrics = startProcessMetrics()
  watchQueues(metrics, jobs)
  releasers.defer(
    await followDatabaseClock({ databaseTime: () => jobs.databaseTime(), log, metrics }),
  )
  const deps = {
    ...urls,
    poolSize: config.databasePoolSize,
    ...{ pubSub, jobs, outbound, commandSteps, log, metrics },
  }
  return { deps, ownPorts }
}

/** Runs executions: of several processes, the first one does. */
async function startRunner(
  { sandbox: sandboxMode, worker, secretPaths }: AllInOneConfig,
  deps: TestExecutionDeps,
  { callbackSigningSecret: signingSecret }: Database,
  member?: Member,
) {
  if (member !== undefined && member.number !== 1) return undefined
  return startWorker({ ...deps, sandboxMode, ...worker, secretPaths, callbacks: { signingSecret } })
}

/** The gateway alone; its subgraphs run elsewhere and need not be up yet. */
export const startGateway = (config: GatewayConfig, log: Logger, member?: Member): Promise<App> =>
  withReleasers(async (releasers) => {
    const remoteLink = await loadRemoteLink()
    const metrics = startProcessMetrics()
    const options = {
      isOwn: true,
      introduction: signedCaller(createCallerSignature(config.internalSecret)),
      silenceMs: SILENCE_MS,
      maxBody: config.rules.limits.OPERATION_MAX_RESPONSE,
      json: exactJson,
      headers: traceHeaders,
    }
    const links = [
      remoteLink({ name: 'test-execution', url: config.testExecutionUrl, ...options }),
      remoteLink({ name: 'events', url: config.eventsUrl, ...options }),
      remoteLink({ name: 'accounts', url: config.accountsUrl, ...options }),
    ]
    const facts = pausedElsewhere(links)
    return startFront(config, links, {
      ...{ log, releasers, facts, metrics, counts: operationCounts(metrics), member },
    })
  })

interface FrontParts {
  log: Logger
  releasers: Releasers
  /** Added to `/healthz`. */
  facts?: () => object | Promise<object>
  metrics: ProcessMetrics
  /** Counts of the subgraphs of this process. */
  counts: OperationCounts
  member?: Member | undefined
}

/** Serves our own supergraph, and REST over it. */
async function startFront(
  config: FrontConfig,
  others: readonly SubgraphLink[],
  { log, releasers, facts, metrics: ofProcess, counts, member }: FrontParts,
): Promise<App> {
  const metrics = createMetrics(ofProcess)
  const { signIn, settings } = config
  const options = supergraphOptions(config, metrics, log, {
    maxFieldsOnTheSpot: MAX_FIELDS_ON_THE_SPOT,
  })
  const server = await buildServer({ authMode: signIn.mode, settings }, findObjects(others))
  const given = [
    ...others,
    localLink('server', server, log, { counts, maxResponse: options.maxResponse }),
  ]
  const links = given.map((link) => measuredLink(link, metrics))
  for (const link of links) releasers.defer(() => link.stop())
  const supergraph = loadSupergraph(await readFile(SUPERGRAPH, 'utf8'), links, log, {
    ...options,
    sharing: { isShared, callerOf: sharedCaller },
    changes: new Changes({ othersChange: member !== undefined }),
  })
  releasers.defer(() => supergraph.stop())
  const artifacts = links.find(({ name }) => name === 'test-execution')
  if (!artifacts) throw new Error('There is no subgraph test-execution')
  const findReceiver = storedReceivers(artifacts)
  const { apiRootPath: root, ui } = config
  const [web, documents, tools] = await Promise.all([
    ui ? createWebClient({ root, mode: signIn.mode, version: VERSION }) : undefined,
    ui && config.rules.trustedOnly ? webDocuments() : [],
    config.mcp.isOn ? ownToolDocuments() : [],
  ])
  return serveHttp(config, {
    supergraph,
    links: () => others,
    log,
    releasers,
    metrics,
    metricsText: member && metricsOfAll(metrics.registry, member),
    others: [
      ...createRest(config, { supergraph, metrics, releasers, findReceiver }),
      ...(web?.destinations ?? []),
    ],
    elsewhere: web?.elsewhere,
    ownDocuments: [...documents, ...Object.values(COMMAND_DOCUMENTS), ...tools],
    tools,
    facts,
    probes: OWN_PROBES,
    examples: EXAMPLES,
  })
}

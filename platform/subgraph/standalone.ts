import { createCallerSignature } from '../access/caller-signature.ts'
import { databaseUrls } from '../database/database-servers.ts'
import { type Jobs, startJobs } from '../jobs/jobs.ts'
import { serveMetrics } from '../metrics/metrics-server.ts'
import { type ProcessMetrics, startProcessMetrics } from '../metrics/process-metrics.ts'
import { watchQueues } from '../metrics/shared-metrics.ts'
import { createOutbound, type Outbound } from '../outbound/outbound.ts'
import { outboundAllow } from '../outbound/outbound-allow.ts'
import { portsOf } from '../outbound/own-ports.ts'
import { followDatabaseClock } from '../process/clock.ts'
import { createLogger, type Logger } from '../process/logger.ts'
import { type Releasers, withReleasers } from '../process/releasers.ts'
import { runProcess, SERVER_EXIT_CODES } from '../process/run-process.ts'
import { startPubSub } from '../pub-sub/start.ts'
import { missing, publicHostFaults, readEnv } from '../settings/env.ts'
import type { Variables } from '../settings/variables.ts'
import { serveSubgraph } from './serve-subgraph.ts'
import type { Subgraph, SubgraphDeps } from './subgraph.ts'

/** Variables that a stand-alone process with a database reads. */
export const DATABASE_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'NATS_URL',
  'LOG_LEVEL',
  'METRICS_HOST',
  'METRICS_PORT',
] as const

/** Variables that a stand-alone subgraph reads besides. */
const SERVER_VARIABLES = [
  'HOST',
  'PORT',
  'AUTH_MODE',
  'INTERNAL_SECRET',
  'INTROSPECTION',
  'DATABASE_READ_URL',
  'DATABASE_POOL_SIZE',
  'SHUTDOWN_DELAY_SECONDS',
  'OPERATION_MAX_RESPONSE',
] as const

export const databaseFaults = (given: object): string[] =>
  missing(given, ['DATABASE_URL'], 'for a process that runs by itself')

const serverFaults = (given: Pick<Variables, 'HOST' | 'AUTH_MODE'>): string[] => [
  ...publicHostFaults(given),
  ...missing(given, ['INTERNAL_SECRET'], 'to know the gateway by its signature'),
]

/** Variables of a stand-alone process that sends requests to addresses of users. */
export const OUTBOUND_VARIABLES = [
  'PORT',
  'OUTBOUND_ALLOW',
  'OUTBOUND_PROXY',
  'TEST_EXECUTION_URL',
  'EVENTS_URL',
] as const

/** @param host a loopback address means that only this machine can use the product */
export const outboundFrom = (
  { PORT = 0, OUTBOUND_ALLOW, OUTBOUND_PROXY, ...given }: Partial<Variables>,
  host: string,
): Outbound =>
  createOutbound({
    allow: outboundAllow(OUTBOUND_ALLOW, host),
    proxy: OUTBOUND_PROXY,
    ownPorts: [
      PORT,
      ...portsOf(
        given.DATABASE_URL,
        given.DATABASE_DIRECT_URL,
        given.NATS_URL,
        given.TEST_EXECUTION_URL,
        given.EVENTS_URL,
      ),
    ],
  })

/** Connects a stand-alone process to the database that all of them share. @param process its kind, which its connections are named by */
export async function startShared(
  process: string,
  {
    DATABASE_URL = '',
    DATABASE_DIRECT_URL,
    DATABASE_READ_URL: readUrl,
    DATABASE_POOL_SIZE: poolSize,
    NATS_URL: natsUrl,
    ...given
  }: Partial<Variables>,
  log: Logger,
  releasers: Releasers,
): Promise<SubgraphDeps & { jobs: Jobs; metrics: ProcessMetrics }> {
  const urls = databaseUrls({ url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL, readUrl }, process)
  const direct = urls.directUrl ?? urls.databaseUrl
  const pubSub = await startPubSub({ natsUrl, directUrl: direct }, log)
  releasers.defer(() => pubSub.stop())
  const jobs = await startJobs(direct, log)
  releasers.defer((grace) => jobs.stop(grace))
  const metrics = startProcessMetrics()
  watchQueues(metrics, jobs)
  releasers.defer(
    await followDatabaseClock({ databaseTime: () => jobs.databaseTime(), log, metrics }),
  )
  const { METRICS_HOST: host = '127.0.0.1', METRICS_PORT: port } = given
  if (port !== undefined) {
    const server = await serveMetrics({ host, port, metrics, isReady: () => jobs.isUp(), log })
    releasers.defer((grace) => server.stop(grace))
  }
  return { ...urls, poolSize, pubSub, jobs, log, metrics }
}

type ServerVariable = (typeof DATABASE_VARIABLES)[number] | (typeof SERVER_VARIABLES)[number]

interface StandAlone<Name extends keyof Variables> {
  name: string
  /** Unless PORT says otherwise. */
  port: number
  /** Besides what each of them reads. */
  reads: readonly Name[]
  faults?: (given: Pick<Variables, Name>) => string[]
}

/** A subgraph as a process of its own, which lets only the gateway in. */
export function runSubgraph<Name extends keyof Variables>(
  { name, port, reads: own, faults = () => [] }: StandAlone<Name>,
  start: (
    shared: SubgraphDeps,
    config: Pick<Variables, ServerVariable | Name>,
  ) => Promise<Subgraph>,
): void {
  const reads: (ServerVariable | Name)[] = [...DATABASE_VARIABLES, ...SERVER_VARIABLES, ...own]
  const program = {
    service: `assay-${name}`,
    usage: [`npm run start:${name}`, `node dist/${name}.js`],
    does: `Runs the ${name} subgraph alone. Only a gateway with the same INTERNAL_SECRET may call it.`,
    reads,
    exitCodes: SERVER_EXIT_CODES,
  }
  runProcess(program, (env) =>
    withReleasers(async (releasers) => {
      const config = readEnv({ PORT: String(port), ...env }, reads, (given) => [
        ...databaseFaults(given),
        ...faults(given),
        ...serverFaults(given),
      ])
      const log = createLogger(config.LOG_LEVEL, name)
      const shared = await startShared(name, config, log, releasers)
      const subgraph = await start(shared, config)
      releasers.defer(() => subgraph.stop())
      releasers.defer((grace) => shared.jobs.stop(grace))
      const server = await serveSubgraph({
        name,
        host: config.HOST,
        port: config.PORT,
        signature: createCallerSignature(config.INTERNAL_SECRET ?? '', log),
        subgraph,
        introspection: config.INTROSPECTION,
        shutdownDelaySeconds: config.SHUTDOWN_DELAY_SECONDS,
        maxResponse: config.OPERATION_MAX_RESPONSE,
        log,
        metrics: shared.metrics,
      })
      releasers.defer((grace) => server.stop(grace))
      log.info({ url: server.url }, `The ${name} subgraph is ready`)
      return { stop: () => releasers.release() }
    }),
  )
}

import cluster from 'node:cluster'
import { lookup } from 'node:dns/promises'
import { createLogger, type Logger } from '../platform/process/logger.ts'
import {
  type Running,
  runProcess,
  SERVER_EXIT_CODES,
  type ServerProgram,
} from '../platform/process/run-process.ts'
import { type AllInOneConfig, allInOneConfig, gatewayConfig, supergraphConfig } from './config.ts'
import {
  ALL_IN_ONE_VARIABLES,
  GATEWAY_VARIABLES,
  SUPERGRAPH_VARIABLES,
} from './config-variables.ts'
import { openDatabase } from './database.ts'
import type { App } from './http/index.ts'
import type { Member, Start } from './processes/messages.ts'
import type { startProcesses } from './processes/primary.ts'
import { welcome } from './welcome.ts'

const isAlone = process.argv.includes('--remote')

const ALL_IN_ONE: ServerProgram = {
  service: 'assay',
  usage: ['npm start', 'node dist/gateway.js'],
  does: 'Runs Assay in one process: gateway, subgraphs, a worker and, without DATABASE_URL, a database.',
  reads: ALL_IN_ONE_VARIABLES,
  options: { remote: { type: 'boolean' } },
  exitCodes: SERVER_EXIT_CODES,
}

const GATEWAY: ServerProgram = {
  ...ALL_IN_ONE,
  service: 'assay-gateway',
  usage: ['npm run start:gateway', 'node dist/gateway.js --remote'],
  does: 'Runs the gateway alone, over subgraphs that run elsewhere or over the file SUPERGRAPH.',
  reads: [...GATEWAY_VARIABLES, ...SUPERGRAPH_VARIABLES],
}

runProcess(isAlone ? GATEWAY : ALL_IN_ONE, async (env) => {
  if (isAlone) {
    const config = supergraphConfig(env) ?? gatewayConfig(env)
    const start = async (log: Logger, member?: Member) => {
      if ('file' in config)
        return (await import('./start-supergraph.ts')).startSupergraph(config, log, member)
      return (await import('./app.ts')).startGateway(config, log, member)
    }
    if (cluster.isWorker) return startMember(config, start)
    const log = opened(config)
    const app = await (config.processes > 1 ? startSeveral(config, log) : start(log))
    log.info({ url: app.url }, 'The gateway is ready')
    return app
  }
  const config = allInOneConfig(env)
  if (cluster.isWorker) {
    const { startAllInOne } = await import('./app.ts')
    return startMember(config, (log, member) => {
      if (!member.database) throw new Error('The first process sent no database')
      return startAllInOne(config, { ...member.database, async stop() {} }, log, member)
    })
  }
  const log = opened(config)
  await lookup(config.host) // before anything is made for an address that is not there
  if (config.processes > 1)
    return welcomed(config, await startSeveral(config, log, await openDatabase(config, log)))
  // The database starts while the code of the product loads.
  const [database, { startAllInOne }] = await Promise.all([
    openDatabase(config, log),
    import('./app.ts'),
  ])
  return welcomed(config, await startAllInOne(config, database, log))
})

/** The log of a start, which names first what has no effect. */
function opened({ logLevel, ignored }: Pick<AllInOneConfig, 'logLevel' | 'ignored'>): Logger {
  const log = createLogger(logLevel)
  for (const fault of ignored) log.warn(`No effect: ${fault}`)
  return log
}

const startSeveral: typeof startProcesses = async (...given) =>
  (await import('./processes/primary.ts')).startProcesses(...given)

/** One of the processes that the primary started. The primary stops the database. */
async function startMember(
  { logLevel }: Pick<AllInOneConfig, 'logLevel'>,
  start: (log: Logger, member: Start) => Promise<App>,
): Promise<Running> {
  const { reportReady, startMessage } = await import('./processes/member.ts')
  const member = await startMessage()
  // Not its name: lines of a subgraph have that of the subgraph.
  const log = createLogger(logLevel).child({ process: member.number })
  const app = await start(log, member)
  reportReady(app)
  return app
}

function welcomed(config: AllInOneConfig, app: App): App {
  process.stdout.write(welcome(app.url, { ...config, mode: config.signIn.mode }))
  return app
}

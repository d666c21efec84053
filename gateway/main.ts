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
    const log = opened(config)
    const { startGateway, startSupergraph } = await import('./app.ts')
    const app = await ('file' in config ? startSupergraph(config, log) : startGateway(config, log))
    log.info({ url: app.url }, 'The gateway is ready')
    return app
  }
  const config = allInOneConfig(env)
  if (cluster.isWorker) return startMember(config)
  const log = opened(config)
  await lookup(config.host) // before anything is made for an address that is not there
  if (config.processes > 1) {
    const { startProcesses } = await import('./processes/primary.ts')
    return welcomed(config, await startProcesses(config, await openDatabase(config, log), log))
  }
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

/** One of the processes that the primary started. The primary stops the database. */
async function startMember(config: AllInOneConfig): Promise<Running> {
  const { reportReady, startMessage } = await import('./processes/member.ts')
  const [{ database, ...member }, { startAllInOne }] = await Promise.all([
    startMessage(),
    import('./app.ts'),
  ])
  // Not its name: lines of a subgraph have that of the subgraph.
  const log = createLogger(config.logLevel).child({ process: member.number })
  const app = await startAllInOne(config, { ...database, async stop() {} }, log, member)
  reportReady(app)
  return app
}

function welcomed(config: AllInOneConfig, app: App): App {
  process.stdout.write(welcome(app.url, { ...config, mode: config.signIn.mode }))
  return app
}

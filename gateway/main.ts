import { lookup } from 'node:dns/promises'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { runProcess } from '../subgraphs/shared/run-process.ts'
import { allInOneConfig, gatewayConfig, supergraphConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { welcome } from './welcome.ts'

runProcess(async (env) => {
  if (process.argv.includes('--remote')) {
    const config = supergraphConfig(env) ?? gatewayConfig(env)
    const log = createLogger(config.logLevel)
    const { startGateway, startSupergraph } = await import('./app.ts')
    const app = await ('file' in config ? startSupergraph(config, log) : startGateway(config, log))
    log.info({ url: app.url }, 'The gateway is ready')
    return app
  }
  const config = allInOneConfig(env)
  const log = createLogger(config.logLevel)
  await lookup(config.host) // before anything is made for an address that is not there
  // The database starts while the code of the product loads.
  const [database, { startAllInOne }] = await Promise.all([
    openDatabase(config, log),
    import('./app.ts'),
  ])
  const app = await startAllInOne(config, database, log)
  process.stdout.write(welcome(app.url, config.apiRootPath, config.signIn.mode))
  return app
})

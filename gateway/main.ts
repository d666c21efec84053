import './compile-cache.ts'
import { createLogger } from '../subgraphs/shared/logger.ts'
import { runProcess } from '../subgraphs/shared/run-process.ts'
import { allInOneConfig, gatewayConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { welcome } from './welcome.ts'

runProcess(async (env) => {
  if (process.argv.includes('--remote')) {
    const config = gatewayConfig(env)
    const log = createLogger(config.logLevel)
    const { startGateway } = await import('./app.ts')
    const app = await startGateway(config, log)
    log.info({ url: app.url }, 'The gateway is ready')
    return app
  }
  const config = allInOneConfig(env)
  const log = createLogger(config.logLevel)
  // The database starts while the code of the product loads.
  const [database, { startAllInOne }] = await Promise.all([
    openDatabase(config, log),
    import('./app.ts'),
  ])
  const app = await startAllInOne(config, database, log)
  process.stdout.write(welcome(app.url, config.apiRootPath))
  return app
})

import { createLogger } from '../subgraphs/shared/logger.ts'
import { runProcess } from '../subgraphs/shared/run-process.ts'
import { startAllInOne, startGateway } from './app.ts'
import { allInOneConfig, gatewayConfig } from './config.ts'
import { welcome } from './welcome.ts'

runProcess(async (env) => {
  if (process.argv.includes('--remote')) {
    const config = gatewayConfig(env)
    const log = createLogger(config.logLevel)
    const app = await startGateway(config, log)
    log.info({ url: app.url }, 'The gateway is ready')
    return app
  }
  const config = allInOneConfig(env)
  const log = createLogger(config.logLevel)
  const app = await startAllInOne(config, log)
  process.stdout.write(welcome(app.url, config.apiRootPath))
  return app
})

import { PERMISSIONS } from '../shared/access/permissions.ts'
import { audited } from '../shared/audit/audit.ts'
import type { Caller } from '../shared/caller.ts'
import { useDataDirDatabase } from '../shared/data-dir/data-dir-database.ts'
import { readEnv } from '../shared/env.ts'
import { createLogger } from '../shared/logger.ts'
import { startPubSub } from '../shared/pub-sub/start.ts'
import { withReleasers } from '../shared/releasers.ts'
import { COMMANDS, USAGE } from './commands.ts'
import { startAccountServices } from './index.ts'

/** Manages accounts from a terminal of whoever may read the database, also when no administrator can sign in. */
async function run([name = '', ...args]: string[]): Promise<string> {
  const command = COMMANDS[name]
  if (!command || args.length < command.least || args.length > command.args.length) return USAGE
  const config = readEnv(process.env, ['DATA_DIR', 'DATABASE_URL', 'NATS_URL', 'API_TOKEN_DAYS'])
  const log = createLogger('warn', 'accounts')
  return withReleasers(async (releasers) => {
    const database = config.DATABASE_URL
      ? { url: config.DATABASE_URL, stop: async () => {} }
      : await useDataDirDatabase(config.DATA_DIR, log)
    releasers.defer(() => database.stop())
    const databaseUrl = database.url
    const pubSub = await startPubSub({ natsUrl: config.NATS_URL, databaseUrl }, log)
    releasers.defer(() => pubSub.stop())
    const services = await startAccountServices(
      { databaseUrl, pubSub, log },
      { apiTokenDays: config.API_TOKEN_DAYS },
    )
    releasers.defer(() => services.stop())
    const [target] = args
    const answer = await audited(`accounts ${name}`, OPERATOR, { name: target }, () =>
      command.run(services, args, OPERATOR),
    )
    await releasers.release()
    return answer
  })
}

const OPERATOR: Caller = { requestId: 'npm run accounts', user: null, permissions: PERMISSIONS }

run(process.argv.slice(2)).then(
  (text) => {
    process.stdout.write(text)
    process.exitCode = text === USAGE ? 1 : 0
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)

import { PERMISSIONS } from '../shared/access/permissions.ts'
import { SESSION_VARIABLES, sessionLifetimes } from '../shared/access/session-lifetimes.ts'
import { audited } from '../shared/audit/audit.ts'
import type { Caller } from '../shared/caller.ts'
import { useDataDirDatabase } from '../shared/data-dir/data-dir-database.ts'
import { readEnv } from '../shared/env.ts'
import { createLogger } from '../shared/logger.ts'
import type { Program } from '../shared/program.ts'
import { startPubSub } from '../shared/pub-sub/start.ts'
import { withReleasers } from '../shared/releasers.ts'
import { DONE_OR_NOT, runCommand, UsageError } from '../shared/run-command.ts'
import { COMMANDS, USAGE } from './commands.ts'
import { startAccountServices } from './index.ts'

const program = {
  usage: USAGE,
  does: 'Manages accounts from a terminal with access to the database, while Assay runs or not.',
  reads: [
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'NATS_URL',
    'API_TOKEN_DAYS',
    ...SESSION_VARIABLES,
  ],
  exitCodes: DONE_OR_NOT,
} as const satisfies Program

const OPERATOR: Caller = { requestId: 'npm run accounts', user: null, permissions: PERMISSIONS }

/** The way back in, too, when no administrator can sign in. */
runCommand(program, async ([name = '', ...args], env) => {
  const command = COMMANDS[name]
  if (!command || args.length < command.least || args.length > command.args.length)
    throw new UsageError()
  const config = readEnv(env, program.reads)
  const log = createLogger('warn', 'accounts')
  return withReleasers(async (releasers) => {
    const database = config.DATABASE_URL
      ? { url: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, stop: async () => {} }
      : await useDataDirDatabase(config.DATA_DIR, log)
    releasers.defer(() => database.stop())
    const databaseUrl = database.url
    const pubSub = await startPubSub({ natsUrl: config.NATS_URL, directUrl: databaseUrl }, log)
    releasers.defer(() => pubSub.stop())
    const services = await startAccountServices(
      { databaseUrl, pubSub, log },
      { apiTokenDays: config.API_TOKEN_DAYS, sessions: sessionLifetimes(config) },
    )
    releasers.defer(() => services.stop())
    const [target] = args
    const text = await audited(`accounts ${name}`, OPERATOR, { name: target }, () =>
      command.run(services, args, OPERATOR),
    )
    await releasers.release()
    return { text, exitCode: 0 }
  })
})

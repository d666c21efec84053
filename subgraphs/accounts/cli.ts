import type { Caller } from '../../platform/access/caller.ts'
import { PERMISSIONS } from '../../platform/access/permissions.ts'
import { SESSION_VARIABLES, sessionLifetimes } from '../../platform/access/session-lifetimes.ts'
import { audited } from '../../platform/audit/audit.ts'
import { useDataDirDatabase } from '../../platform/data-dir/data-dir-database.ts'
import { createLogger } from '../../platform/process/logger.ts'
import type { Program } from '../../platform/process/program.ts'
import { withReleasers } from '../../platform/process/releasers.ts'
import { DONE_OR_NOT, runCommand, UsageError } from '../../platform/process/run-command.ts'
import { startPubSub } from '../../platform/pub-sub/start.ts'
import { embeddedFaults } from '../../platform/settings/embedded-faults.ts'
import { readEnv } from '../../platform/settings/env.ts'
import { COMMANDS, takes, USAGE } from './commands.ts'
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
  if (!command || !takes(command, args.length)) throw new UsageError()
  const config = readEnv(env, program.reads, embeddedFaults)
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

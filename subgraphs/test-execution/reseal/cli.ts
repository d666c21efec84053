import pg from 'pg'
import { useDataDirDatabase } from '../../../platform/data-dir/data-dir-database.ts'
import { writableServer } from '../../../platform/database/database-servers.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import type { Program } from '../../../platform/process/program.ts'
import { withReleasers } from '../../../platform/process/releasers.ts'
import { runCommand } from '../../../platform/process/run-command.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import { embeddedFaults } from '../../../platform/settings/embedded-faults.ts'
import { type Env, missing, readEnv } from '../../../platform/settings/env.ts'
import { conclusionOf } from './conclusion.ts'
import { type ResealResult, resealAll } from './passes.ts'
import type { ResealCounts } from './reseal.ts'

const program = {
  usage: ['npm run reseal', 'node dist/reseal-command.js'],
  does: 'Seals all stored secrets with the present key after it was changed: SECRETS_KEY, or without DATABASE_URL secretsKey in keys.json of DATA_DIR. It may run while Assay runs, and again.',
  reads: ['DATA_DIR', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'],
  exitCodes: {
    0: 'all is sealed with the present key; the previous key can go',
    1: 'something is not, and the output lists it; or it failed',
  },
} as const satisfies Program

async function reseal(env: Env): Promise<ResealResult> {
  const config = readEnv(env, program.reads, (given) => [
    ...(given.DATABASE_URL ? missing(given, ['SECRETS_KEY'], 'with DATABASE_URL') : []),
    ...embeddedFaults(given),
  ])
  return withReleasers(async (releasers) => {
    const database = config.DATABASE_URL
      ? {
          url: await writableServer(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL),
          keys: {
            secretsKey: config.SECRETS_KEY ?? '',
            previousSecretsKey: config.SECRETS_KEY_PREVIOUS,
          },
          stop: async () => {},
        }
      : await useDataDirDatabase(config.DATA_DIR, createLogger('warn', 'reseal'))
    releasers.defer(() => database.stop())
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {}) // the query that runs says it
    await client.connect()
    releasers.defer(() => client.end())
    const secrets = createSecrets(database.keys)
    const result = await resealAll(client, secrets, (pass, counts) =>
      process.stdout.write(`Pass ${pass}\n${counts.map(lineOf).join('')}`),
    )
    await releasers.release()
    return result
  })
}

const lineOf = ({ column, resealed, current, changed, unreadable }: ResealCounts): string =>
  `  ${column}: ${resealed} resealed, ${current} current, ${changed} changed meanwhile, ${unreadable.length} unreadable\n`

runCommand(program, async (_args, env) => {
  const result = await reseal(env)
  const isDone = result.isDone && result.unreadable.length === 0
  return { text: conclusionOf(result), exitCode: isDone ? 0 : 1 }
})

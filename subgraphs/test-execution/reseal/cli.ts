import pg from 'pg'
import { useDataDirDatabase } from '../../shared/data-dir/data-dir-database.ts'
import { missing, readEnv } from '../../shared/env.ts'
import { createLogger } from '../../shared/logger.ts'
import { withReleasers } from '../../shared/releasers.ts'
import { createSecrets } from '../../shared/secrets.ts'
import { type ResealResult, resealAll } from './passes.ts'
import type { ResealCounts } from './reseal.ts'

/** Seals all that is stored with SECRETS_KEY, after it was changed. */
async function run(): Promise<ResealResult> {
  const config = readEnv(
    process.env,
    ['DATA_DIR', 'DATABASE_URL', 'SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'],
    (given) => (given.DATABASE_URL ? missing(given, ['SECRETS_KEY'], 'with DATABASE_URL') : []),
  )
  return withReleasers(async (releasers) => {
    const database = config.DATABASE_URL
      ? {
          url: config.DATABASE_URL,
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

const lineOf = ({ place, resealed, current, changed, unreadable }: ResealCounts): string =>
  `  ${place}: ${resealed} resealed, ${current} current, ${changed} changed meanwhile, ${unreadable.length} unreadable\n`

function conclusionOf({ isDone, unreadable }: ResealResult): string {
  if (!isDone)
    return 'Not all is sealed with SECRETS_KEY: keep the previous key and run this again\n'
  if (unreadable.length === 0) return 'All is sealed with SECRETS_KEY: the previous key can go\n'
  const rows = unreadable.map((row) => `  ${row}\n`).join('')
  return `All but ${unreadable.length} are sealed with SECRETS_KEY. These cannot be read; set the key that sealed them as SECRETS_KEY_PREVIOUS, or enter them again:\n${rows}`
}

run().then(
  (result) => {
    process.stdout.write(conclusionOf(result))
    process.exitCode = result.isDone && result.unreadable.length === 0 ? 0 : 1
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)

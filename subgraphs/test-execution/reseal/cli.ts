import pg from 'pg'
import { useDataDirDatabase } from '../../shared/data-dir/data-dir-database.ts'
import { missing, readEnv } from '../../shared/env.ts'
import { createLogger } from '../../shared/logger.ts'
import { withReleasers } from '../../shared/releasers.ts'
import { createSecrets } from '../../shared/secrets.ts'
import { type ResealCounts, reseal } from './reseal.ts'

/** What the product changes in one pass, the next one finds; it rarely takes more than two. */
const MAX_PASSES = 10

/** Seals all that is stored with SECRETS_KEY, after it was changed. @returns whether nothing else is left */
async function run(): Promise<boolean> {
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
    let isDone = false
    for (let pass = 1; pass <= MAX_PASSES && !isDone; pass++) {
      const counts = await reseal(client, secrets)
      process.stdout.write(`Pass ${pass}\n${counts.map(lineOf).join('')}`)
      if (counts.some(({ unreadable }) => unreadable.length > 0)) break
      isDone = counts.every(({ resealed, changed }) => resealed + changed === 0)
    }
    await releasers.release()
    return isDone
  })
}

const lineOf = ({ place, resealed, current, changed, unreadable }: ResealCounts): string =>
  [
    `  ${place}: ${resealed} resealed, ${current} current, ${changed} changed meanwhile, ${unreadable.length} unreadable\n`,
    ...unreadable.map(({ key, reason }) => `    ${key}: ${reason}\n`),
  ].join('')

run().then(
  (isDone) => {
    process.stdout.write(
      isDone
        ? 'All is sealed with SECRETS_KEY: the previous key can go\n'
        : 'Not all is sealed with SECRETS_KEY: keep the previous key and run this again\n',
    )
    process.exitCode = isDone ? 0 : 1
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)

import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import pg from 'pg'
import { writableServer } from '../platform/database/database-servers.ts'
import type { Program } from '../platform/process/program.ts'
import { withReleasers } from '../platform/process/releasers.ts'
import { DONE_OR_NOT, runCommand, UsageError } from '../platform/process/run-command.ts'
import { embeddedFaults } from '../platform/settings/embedded-faults.ts'
import { type Env, readEnv } from '../platform/settings/env.ts'
import { checkArchive } from './archive.ts'
import { backUp } from './back-up.ts'
import { requireKnown } from './create-tables.ts'
import { emptyDatabase, type KeyedDatabase, presentDatabase } from './databases.ts'
import { report } from './progress.ts'
import { restore } from './restore.ts'
import { isKeyOf, sealedBy, unreadable } from './secrets-key.ts'

const program = {
  usage: [
    "npm run -s backup -- [file]     writes all of Assay's data into a new file, while it runs or not",
    'npm run -s restore -- <file>    fills an empty database with it; stop Assay first',
  ],
  does: "Writes all of Assay's data into a file, or fills an empty database with it.",
  reads: ['DATA_DIR', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'SECRETS_KEY'],
  exitCodes: DONE_OR_NOT,
} as const satisfies Program

type Command = (path: string | undefined, env: Env) => Promise<string>

const COMMANDS: Readonly<Record<string, Command>> = {
  async backup(given = nameAt(new Date()), env) {
    const path = inCallersFolder(given)
    if (existsSync(path)) throw new Error(`${path} exists already: name another file`)
    return using(presentDatabase, env, async ({ secretsKey }, client) => {
      const manifest = await backUp(client, path, secretsKey ? sealedBy(secretsKey) : null)
      report('Backup written', totalsOf(manifest))
      return `${path}\n`
    })
  },
  async restore(given, env) {
    if (!given) throw new UsageError()
    const path = inCallersFolder(given)
    const manifest = await checkArchive(path)
    requireKnown(manifest)
    report('Backup checked', { file: basename(path), ...totalsOf(manifest) })
    return using(emptyDatabase, env, async ({ secretsKey }, client) => {
      await restore(client, path, manifest)
      report('Backup restored', totalsOf(manifest))
      if (!secretsKey || !manifest.sealed || isKeyOf(secretsKey, manifest.sealed)) return ''
      report('The key of the secrets is not the one of the backup', await unreadable(client))
      return ''
    })
  },
}

const totalsOf = ({
  assay,
  revision,
  createdAt,
  tables,
}: Awaited<ReturnType<typeof checkArchive>>) => ({
  version: assay,
  ...(revision && { revision }),
  createdAt,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
})

/** npm changes into the folder of the project and names the one that it was called from. */
const inCallersFolder = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path)

const nameAt = (now: Date): string =>
  `assay-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup.gz`

const using = <Result>(
  openDataDir: typeof presentDatabase,
  env: Env,
  run: (database: KeyedDatabase, client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withReleasers(async (releasers) => {
    const settings = readEnv(env, program.reads, embeddedFaults)
    const url = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL
    const database =
      settings.DATABASE_URL && url
        ? { url: await writableServer(url), secretsKey: settings.SECRETS_KEY }
        : await openDataDir(settings.DATA_DIR, releasers)
    const client = new pg.Client({
      connectionString: database.url,
      application_name: 'assay backup',
      keepAlive: true,
    })
    // The statement that runs fails, too.
    client.on('error', () => {})
    await client.connect()
    // Not awaited: a connection in the middle of COPY does not end before the database does.
    releasers.defer(() => void client.end().catch(() => {}))
    const result = await run(database, client)
    await releasers.release()
    return result
  })

runCommand(program, async ([name = '', path, ...rest], env) => {
  const command = rest.length === 0 ? COMMANDS[name] : undefined
  if (!command) throw new UsageError()
  return { text: await command(path, env), exitCode: 0 }
})

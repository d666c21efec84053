import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import pg from 'pg'
import { readEnv } from '../subgraphs/shared/env.ts'
import { type Releasers, withReleasers } from '../subgraphs/shared/releasers.ts'
import { checkArchive } from './archive.ts'
import { backUp } from './back-up.ts'
import { requireKnown } from './create-tables.ts'
import { emptyDatabase, type KeyedDatabase, presentDatabase } from './databases.ts'
import { report } from './progress.ts'
import { restore } from './restore.ts'
import { isKeyOf, sealedBy, unreadable } from './secrets-key.ts'

const USAGE = `npm run backup -- [file]     writes all of Assay's data into a new file, while it runs or not
npm run restore -- <file>    fills an empty database with it; stop Assay first
The database is that of DATABASE_URL, else the embedded one of DATA_DIR.
`

type Command = (path: string | undefined) => Promise<string>

const COMMANDS: Readonly<Record<string, Command>> = {
  async backup(given = nameAt(new Date())) {
    const path = inCallersFolder(given)
    if (existsSync(path)) throw new Error(`${path} exists already: name another file`)
    return using(presentDatabase, async ({ secretsKey }, client) => {
      const manifest = await backUp(client, path, secretsKey ? sealedBy(secretsKey) : null)
      report('Backup written', totalsOf(manifest))
      return `${path}\n`
    })
  },
  async restore(given) {
    if (!given) return USAGE
    const path = inCallersFolder(given)
    const manifest = await checkArchive(path)
    requireKnown(manifest)
    report('Backup checked', { file: basename(path), ...totalsOf(manifest) })
    return using(emptyDatabase, async ({ secretsKey }, client) => {
      await restore(client, path, manifest)
      report('Backup restored', totalsOf(manifest))
      if (!secretsKey || !manifest.sealed || isKeyOf(secretsKey, manifest.sealed)) return ''
      report('The key of the secrets is not the one of the backup', await unreadable(client))
      return ''
    })
  },
}

const totalsOf = ({ assay, createdAt, tables }: Awaited<ReturnType<typeof checkArchive>>) => ({
  version: assay,
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
  open: (
    settings: Parameters<typeof presentDatabase>[0],
    releasers: Releasers,
  ) => Promise<KeyedDatabase>,
  run: (database: KeyedDatabase, client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withReleasers(async (releasers) => {
    const settings = readEnv(process.env, ['DATA_DIR', 'DATABASE_URL', 'SECRETS_KEY'])
    const database = await open(settings, releasers)
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

const [name = '', path, ...rest] = process.argv.slice(2)
const command = rest.length === 0 ? COMMANDS[name] : undefined
const run = command ? command(path) : Promise.resolve(USAGE)
run.then(
  (text) => {
    process.stdout.write(text)
    process.exit(text === USAGE ? 1 : 0)
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
)

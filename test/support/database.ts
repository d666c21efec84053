import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  url: string
  /** Removes it, ending the connections that are still open. */
  drop(): Promise<void>
}

/** Made once for each run, by migrated-database.ts. */
export const MIGRATED_DATABASE = 'migrated'

/** The database server that every integration test shares. */
export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url)
    throw new Error('TEST_DATABASE_URL is unset: this test belongs in a project with a database')
  return url
}

/** A new, empty database, or a copy of `template` (which must have no connection while it is copied). */
export const createDatabase = (template?: string): Promise<TestDatabase> =>
  create(template ? `template ${pg.escapeIdentifier(template)} strategy file_copy` : '')

/** A new database that has the tables of all subgraphs and of jobs, and no rows. */
export const createMigratedDatabase = (): Promise<TestDatabase> =>
  create(`template ${MIGRATED_DATABASE}`)

async function create(origin: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} ${origin}`)
  return {
    url: urlOf(name),
    drop: () => administer(`drop database if exists ${name} with (force)`),
  }
}

/** The address of a database of that server. */
export function urlOf(name: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

/** Refuses all connections to a database while `run` runs. */
export async function withoutDatabase(url: string, run: () => Promise<unknown>): Promise<void> {
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1))
  const keepOut = `alter database ${name} allow_connections`
  await administer(`${keepOut} false`)
  // Whoever was about to connect is sent away, too.
  const sendAway = () =>
    administer('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      new URL(url).pathname.slice(1),
    ])
  const timer = setInterval(() => void sendAway().catch(() => {}), 100)
  try {
    await sendAway()
    await run()
  } finally {
    clearInterval(timer)
    await administer(`${keepOut} true`)
  }
}

/** Runs a statement on that server. */
export async function administer(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

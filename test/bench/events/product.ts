import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../platform/data-dir/embedded-postgres.ts'
import { type Assay, startAssay } from '../../support/assay.ts'
import { productKeys } from '../../support/product-keys.ts'
import { print } from '../samples.ts'

/** The product in one process, and the database server that it shares with pgbench. */
export interface Running {
  assay: Assay
  /** Takes `POST` with events. */
  url: string
  databaseUrl: string
  /** The process of the database that starts its others. */
  databasePid: number
  /** A new database with the product's empty tables. */
  copyOfTables(): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts both with the settings that users get, but for those given: what is committed is on disk.
 * @param dist what another checkout has built
 */
export async function startProduct(
  settings: Record<string, string> = {},
  dist?: string,
): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-events-'))
  const log = { info: () => {}, warn: print }
  const directory = join(folder, 'postgres')
  const server = await startEmbeddedPostgres({ directory, password: 'bench', log })
  const assay = await productOn(server.url, settings, dist)
  return {
    assay,
    url: `${assay.url}/api/v1/events`,
    databaseUrl: server.url,
    databasePid: Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10),
    async copyOfTables() {
      const url = new URL(server.url)
      url.pathname = `/copy_${randomBytes(4).toString('hex')}`
      await administer(server.url, `create database ${url.pathname.slice(1)}`)
      await (await productOn(url.href, settings, dist)).stop()
      return url.href
    },
    async stop() {
      await assay.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The product in one process on a server that runs. */
export const productOn = (
  databaseUrl: string,
  settings: Record<string, string>,
  dist?: string,
): Promise<Assay> =>
  startAssay({
    mode: 'in-process',
    ...(dist && { dist }),
    env: {
      DATABASE_URL: databaseUrl,
      ...productKeys(),
      EXAMPLES: 'false',
      LOG_LEVEL: 'info',
      ...settings,
    },
  })

/** Runs one statement. */
export async function administer(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

/** True if events are left to index, also while the product's own indexer is at work. */
export async function isBehind(url: string): Promise<boolean> {
  const { rows } = await administer(
    url,
    `select (select raw.id from events.raw_event as raw where raw.id > (select id from events.search_position)
       order by raw.id limit 1) is not null as behind`,
  )
  return rows[0].behind
}

/** The indexer takes two seconds without much load for the end of a burst. */
const CALM_MS = 3_000

/** Waits until all events are indexed: what is left to do would slow a peer down that shares the machine. */
export async function calm({ databaseUrl }: Pick<Running, 'databaseUrl'>): Promise<void> {
  while (await isBehind(databaseUrl)) await delay(100)
  await delay(CALM_MS)
}

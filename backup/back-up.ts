import { createHash } from 'node:crypto'
import pg from 'pg'
import { to } from 'pg-copy-streams'
import { REVISION, VERSION } from '../platform/process/version.ts'
import { type Frame, PART_BYTES, writeArchive } from './archive.ts'
import { type Catalog, readCatalog, readMigrations } from './catalog.ts'
import { FORMAT, type Manifest, nameOf, type StoredTable, type Table } from './manifest.ts'
import { Progress } from './progress.ts'
import { JOBS } from './schemas.ts'
import { quoted, SESSION } from './session.ts'

/**
 * Writes all tables of Assay, as they are at one moment, into one file. The product may run and take load.
 * @param sealed a known text, sealed with the key of the secrets
 */
export async function backUp(
  client: pg.ClientBase,
  path: string,
  sealed: string | null,
): Promise<Manifest> {
  await client.query('begin isolation level repeatable read read only')
  for (const setting of SESSION) await client.query(setting)
  const catalog = await readCatalog(client)
  if (catalog.tables.length === 0) throw new Error('This database holds no tables of Assay')
  // Retention and migrations drop and change tables: not until this transaction has read them.
  await client.query(`lock table ${catalog.tables.map(quoted).join(', ')} in access share mode`)
  const tables: StoredTable[] = []
  const progress = new Progress()
  let manifest: Manifest | undefined
  await writeArchive(path, frames())
  await client.query('commit')
  if (!manifest) throw new Error('The backup has not ended')
  return manifest

  async function* frames(): AsyncGenerator<Frame> {
    for (const table of catalog.tables) {
      const stored = yield* rowsOf(client, table, progress)
      tables.push(stored)
      progress.note('Table copied', stored)
    }
    manifest = await describe(client, catalog, tables, sealed)
    yield { manifest }
  }
}

async function* rowsOf(
  client: pg.ClientBase,
  table: Table,
  progress: Progress,
): AsyncGenerator<Frame, StoredTable> {
  const columns = table.columns.map((name) => pg.escapeIdentifier(name)).join(', ')
  const copy = client.query(to(`copy ${quoted(table)} (${columns}) to stdout`))
  const hash = createHash('sha256')
  let bytes = 0
  let held: Buffer[] = []
  let size = 0
  const part = (): Frame => {
    const rows = Buffer.concat(held)
    held = []
    size = 0
    bytes += rows.length
    hash.update(rows)
    return { table: nameOf(table), rows }
  }
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    held.push(chunk)
    size += chunk.length
    progress.pass(table, chunk.length)
    if (size >= PART_BYTES) yield part()
  }
  if (size > 0) yield part()
  return { ...table, rows: copy.rowCount, bytes, sha256: hash.digest('hex') }
}

async function describe(
  client: pg.ClientBase,
  catalog: Catalog,
  tables: StoredTable[],
  sealed: string | null,
): Promise<Manifest> {
  const sequences = []
  // No part of the snapshot, but never behind it.
  for (const sequence of catalog.sequences) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(sequence)}`,
    )
    for (const state of rows) sequences.push({ ...sequence, ...state })
  }
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  return {
    format: FORMAT,
    assay: VERSION,
    ...(REVISION && { revision: REVISION }),
    postgres: rows[0]?.version ?? '',
    createdAt: new Date().toISOString(),
    jobs: await jobsVersion(client, tables),
    migrations: await readMigrations(client, tables),
    tables,
    sequences,
    sealed,
  }
}

async function jobsVersion(
  client: pg.ClientBase,
  tables: readonly Table[],
): Promise<number | null> {
  if (!tables.some(({ schema, name }) => schema === JOBS && name === 'version')) return null
  const { rows } = await client.query<{ version: number }>(`select version from ${JOBS}.version`)
  return rows[0]?.version ?? null
}

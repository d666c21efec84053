import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { MIGRATION_LOCK } from '../platform/database/orm.ts'
import { ENCODING, type Encoded, requireUnicode } from '../platform/database/require-unicode.ts'
import { DamagedBackup, type Frame, readArchive } from './archive.ts'
import { readCatalog } from './catalog.ts'
import { createTables } from './create-tables.ts'
import { type Manifest, nameOf, type Sequence, type StoredTable } from './manifest.ts'
import { Progress, report } from './progress.ts'
import { SCHEMAS } from './schemas.ts'
import { quoted, SESSION } from './session.ts'

/**
 * Drops all indexes that belong to no constraint, as building one at once costs a fraction of its upkeep row by row.
 * @returns the statements that make them again
 */
async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ schema: string; name: string; definition: string }>(
    FIND_INDEXES,
    [SCHEMAS],
  )
  for (const index of rows) await client.query(`drop index ${quoted(index)}`)
  // An index behind ONLY would have to be made for each partition.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

/** Those of partitions come and go with the one of the whole table. */
const FIND_INDEXES = `
  select nspname as schema, relname as name, pg_get_indexdef(pg_class.oid) as definition
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and relkind in ('i', 'I') and not relispartition
    and not exists (select from pg_constraint where conindid = pg_class.oid)
  order by 1, 2`

/** Building indexes is most of a restore. */
const INDEX_MEMORY = `set local maintenance_work_mem = '256MB'`

/**
 * Fills an empty database with a backup that `checkArchive` has read. All of it is one transaction: a restore that ends
 * early leaves the database empty.
 * @throws where the database holds tables of Assay, or is not in UTF-8
 */
export async function restore(
  client: pg.ClientBase,
  path: string,
  manifest: Manifest,
): Promise<void> {
  const { rows } = await client.query<Encoded>(ENCODING)
  for (const database of rows) requireUnicode(database)
  await client.query('begin')
  // A start of the product waits here, too.
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await requireEmpty(client)
  await createTables(client, manifest)
  for (const setting of [...SESSION, INDEX_MEMORY]) await client.query(setting)
  const indexes = await dropIndexes(client)
  await fill(client, path, manifest.tables)
  if (manifest.tables.some((table) => nameOf(table) === 'test_execution.schedule_hold'))
    await holdSchedules(client)
  for (const sequence of manifest.sequences) await setSequence(client, sequence)
  const started = performance.now()
  await client.query('set constraints all immediate') // no table can be indexed before it was checked
  for (const statement of indexes) await client.query(statement)
  for (const table of manifest.tables) await client.query(`analyze ${quoted(table)}`)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  report('Indexes built', { indexes: indexes.length, seconds })
  await client.query(PAUSE)
  await client.query('commit')
}

/** A copy that notifies beside its original would reach people twice. Backups of former versions have no such table. */
const PAUSE = `
  do $$ begin
    if to_regclass('events.forwarded_artifact') is not null then
      insert into events.forwarded_artifact (kind, id, at, fields, is_deleted, sealed, is_active)
      select 'pause', 'restored', 0, '{}', false, '{}', false
      where exists (select from events.forwarded_artifact where kind = 'rule' and not is_deleted)
      on conflict do nothing;
    end if;
  end $$`

/** The store that was backed up may still run its schedules and triggers: this one runs none until an administrator resumes them. */
async function holdSchedules(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(HOLD)
  if (rowCount) report('Schedules held', { resume: 'POST /server/schedules/resume' })
}

const HOLD = `
  insert into test_execution.schedule_hold (reason, since)
  select 'The store was restored from a backup', now()
  where exists (select from test_execution.schedule_state where next_at is not null)
    or exists (select from test_execution.trigger_state)
  on conflict do nothing`

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { tables } = await readCatalog(client)
  const [first] = tables
  if (first)
    throw new Error(
      `This database holds ${tables.length} tables of Assay already, such as ${nameOf(first)}. Nothing was restored; restore into an empty database, or into a DATA_DIR without one.`,
    )
}

async function fill(
  client: pg.ClientBase,
  path: string,
  tables: readonly StoredTable[],
): Promise<void> {
  // Migrations fill some tables.
  await client.query(`truncate ${tables.map(quoted).join(', ')}`)
  const progress = new Progress()
  const frames = readArchive(path)
  try {
    let frame = await nextOf(frames)
    const rowsOf = async function* (name: string) {
      for (; frame && 'table' in frame && frame.table === name; frame = await nextOf(frames))
        yield frame.rows
    }
    for (const table of tables) {
      const rows = rowsOf(nameOf(table))
      if (table.bytes > 0) await fillTable(client, { table, rows, path, progress })
      progress.note('Table restored', table)
    }
  } finally {
    await frames.return(undefined)
  }
}

const nextOf = async (frames: AsyncGenerator<Frame>): Promise<Frame | undefined> => {
  const { done, value } = await frames.next()
  return done ? undefined : value
}

interface Filling {
  table: StoredTable
  rows: AsyncIterable<Buffer>
  /** Folder of the backup. */
  path: string
  progress: Progress
}

async function fillTable(
  client: pg.ClientBase,
  { table, rows, path, progress }: Filling,
): Promise<void> {
  const columns = table.columns.map((name) => pg.escapeIdentifier(name)).join(', ')
  const copy = client.query(from(`copy ${quoted(table)} (${columns}) from stdin`))
  const hash = createHash('sha256')
  const measured = async function* () {
    for await (const part of rows) {
      hash.update(part)
      progress.pass(table, part.length)
      yield part
    }
  }
  await pipeline(measured, copy)
  if (hash.digest('hex') !== table.sha256)
    throw new DamagedBackup(path, `the rows of ${nameOf(table)} were altered meanwhile`)
  if (copy.rowCount !== table.rows)
    throw new Error(
      `${nameOf(table)} took ${copy.rowCount} of ${table.rows} rows. Nothing was restored.`,
    )
}

const setSequence = (client: pg.ClientBase, sequence: Sequence): Promise<unknown> =>
  client.query('select setval($1::regclass, $2::bigint, $3)', [
    quoted(sequence),
    sequence.value,
    sequence.isCalled,
  ])

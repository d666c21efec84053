import type pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { migrationNames, migrationsOf } from '../platform/database/orm.ts'
import { readCatalog } from './catalog.ts'
import { FORMAT, type Manifest, nameOf, type Table } from './manifest.ts'
import { migrateOn } from './migrate.repository.ts'
import { JOBS, STORAGES } from './schemas.ts'
import { quoted } from './session.ts'

/** The schema of pg-boss as one transaction; the last statement says its version. */
const JOBS_PLAN = getConstructionPlans(JOBS)
const JOBS_VERSION = Number(/version\(version\) VALUES \('(\d+)'\)/.exec(JOBS_PLAN)?.[1])

/** @throws where this version of Assay cannot make the tables of a backup */
export function requireKnown(manifest: Manifest): void {
  const faults: string[] = []
  if (manifest.format !== FORMAT) faults.push(`its format is ${manifest.format}, not ${FORMAT}`)
  if (manifest.jobs !== null && manifest.jobs !== JOBS_VERSION)
    faults.push(`its job queue has version ${manifest.jobs}, not ${JOBS_VERSION}`)
  for (const [schema, names] of Object.entries(manifest.migrations)) {
    const storage = STORAGES.find((one) => one.schema === schema)
    const known = storage ? migrationsOf(storage).map(({ name }) => name) : []
    const unknown = (storage ? migrationNames(storage, names) : names).filter(
      (name) => !known.includes(name),
    )
    if (unknown.length > 0) faults.push(`${schema} has the migrations ${unknown.join(', ')}`)
  }
  if (faults.length > 0)
    throw new Error(
      `This version cannot restore a backup of ${writerOf(manifest)}: ${faults.join('; ')}. Restore it with the version that wrote it.`,
    )
}

/** Versions share a number for long; where the commit is missing, the time is the best sign of it. */
const writerOf = ({ assay, revision, createdAt }: Manifest): string =>
  revision
    ? `Assay ${assay} (commit ${revision})`
    : `Assay ${assay}, made at ${createdAt} by a version that did not name its commit`

/**
 * Makes the tables as they were when the backup was written, within the caller's transaction. Later migrations run when
 * the product starts.
 */
export async function createTables(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  for (const storage of STORAGES) {
    const names = manifest.migrations[storage.schema]
    if (names) await migrateOn(client, storage, migrationNames(storage, names))
  }
  // The transaction is the caller's.
  if (manifest.jobs !== null)
    await client.query(JOBS_PLAN.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, ''))
  const made = new Set((await readCatalog(client)).tables.map(nameOf))
  for (const table of manifest.tables) {
    if (made.has(nameOf(table))) continue
    if (!table.partition) throw new Error(`No migration makes the table ${nameOf(table)}`)
    await client.query(partitionStatement(table, table.partition))
  }
}

const partitionStatement = (table: Table, { of, bound }: NonNullable<Table['partition']>): string =>
  `create table ${quoted(table)} partition of ${quoted({ schema: table.schema, name: of })} ${bound}`

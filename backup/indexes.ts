import type pg from 'pg'
import { SCHEMAS } from './schemas.ts'
import { quoted } from './session.ts'

/**
 * Drops all indexes that belong to no constraint, as building one at once costs a fraction of its upkeep row by row.
 * @returns the statements that make them again
 */
export async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ schema: string; name: string; definition: string }>(
    FIND_INDEXES,
    [SCHEMAS],
  )
  for (const index of rows) await client.query(`drop index ${quoted(index)}`)
  // What stands behind ONLY would have to be made for each partition.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

/** Those of partitions come and go with the one of the whole table. */
const FIND_INDEXES = `
  select nspname as schema, relname as name, pg_get_indexdef(pg_class.oid) as definition
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and relkind in ('i', 'I') and not relispartition
    and not exists (select from pg_constraint where conindid = pg_class.oid)
  order by 1, 2`

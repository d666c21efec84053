import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'
import { INSERT_ENTRY, pendingEntry } from '../../platform/audit/audit.ts'
import * as shared from '../../platform/database/orm.ts'

/** A started ORM, for those who only pass it on. */
export type Orm = MikroORM

/** Where statements run: by themselves, or in a transaction. */
export type Sql = Pick<PoolClient, 'query'>

/** The ORM's own pool, for statements that each stand for themselves. */
export const poolOf = (orm: MikroORM): Promise<Pool> => shared.poolOf(orm.em)

/**
 * Runs one statement with bound parameters (`$1`…). Unlike `em.execute`, which writes values into the text, it sends
 * them apart: batches of thousands of rows stay cheap. A statement with a name is parsed once per connection.
 */
export async function runSql<Row>(
  sql: Sql,
  statement: string | { name: string; text: string },
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const query = typeof statement === 'string' ? { text: statement } : statement
  const { rows } = await sql.query({ ...query, values: [...parameters] })
  return rows
}

/**
 * A transaction on the ORM's pool. Unlike `em.transactional` it gives the connection back also when it was lost during
 * commit or rollback; a pool that keeps dead connections is empty after the database was restarted under load.
 * @param begin how it begins, with its settings
 */
export async function inTransaction<Result>(
  { em }: { em: EntityManager },
  run: (sql: Sql) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  const pool = await shared.poolOf(em)
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query(begin)
    const result = await run(client)
    const entry = pendingEntry()
    if (entry && (await client.query(INSERT_ENTRY, entry.values)).rowCount) entry.written()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}

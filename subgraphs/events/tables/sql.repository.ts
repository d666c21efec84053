import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'

/**
 * Runs one statement with bound parameters (`$1`…) in the transaction of `em`, if it has one. Unlike `em.execute`,
 * which writes values into the text, it sends them apart: batches of thousands of rows stay cheap.
 */
export async function runSql<Row>(
  em: EntityManager,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await em
    .getKysely()
    .executeQuery<Row>(CompiledQuery.raw(statement, [...parameters]))
  return rows
}

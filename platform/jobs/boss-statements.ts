import pg from 'pg'
import type { Db } from 'pg-boss'
import { isOutdatedPlan } from '../database/database-error.ts'
import { runSql, type Sql } from '../database/sql.ts'

/*
 * pg-boss repeats a few statements and names none of them. Here each text gets a name, so that connections keep it
 * prepared: parsing and planning was most of what a job cost the database.
 */

/** Names of statements at most; pg-boss has some forty. */
const MAX_NAMES = 200

const names = new Map<string, string>()
let named = 0

/** A text without values may be several statements, which cannot be prepared, or a mere `begin`. */
function nameOf(text: string, values: unknown): string | undefined {
  const isOne = /^\s*with\b/i.test(text) && !text.includes(';')
  if (!Array.isArray(values) || (values.length === 0 && !isOne)) return undefined
  if (!names.has(text) && names.size < MAX_NAMES) names.set(text, `job-${++named}`)
  return names.get(text)
}

/** A connection of pg-boss. */
export class BossClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: a dozen signatures, of which pg-boss uses one
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === 'string' ? nameOf(text, values) : undefined
    if (!name || !callback) return super.query(text, values, callback)
    return super.query({ name, text, values }, (error: Error, result: pg.QueryResult) => {
      if (error instanceof pg.DatabaseError && isOutdatedPlan(error)) names.delete(text)
      callback(error, result)
    })
  }
}

/** The database as pg-boss asks it for what belongs to a transaction of ours. */
export const bossDatabase = (sql: Sql): Db => ({
  async executeSql(text, values = []) {
    const name = nameOf(text, values)
    return { rows: await runSql(sql, name ? { name, text } : text, values) }
  },
})

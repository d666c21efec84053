import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery, type QueryResult, type RawBuilder, type Transaction } from 'kysely'
import { INSERT_ENTRY, pendingEntry } from '../audit/audit.ts'
import { type Copy, CopyQuery } from './copy/copy-rows.ts'
import type { NamedQuery, PooledConnection } from './driver.ts'

/** Where statements run: an entity manager, in its transaction if it has one, or else each by itself. */
export type Sql = Pick<EntityManager, 'getKysely'>

/** SQL with `$1`… for values. A name, one for each text, keeps it prepared: not where a plan must fit the values. */
export interface Statement {
  name: string
  text: string
}

/** Runs one statement with bound parameters. Unlike `em.execute`, which writes values into the text, it sends them apart. */
export async function runSql<Row>(
  sql: Sql,
  statement: string | Statement,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { name, text } =
    typeof statement === 'string' ? { name: undefined, text: statement } : statement
  const query: NamedQuery = { ...CompiledQuery.raw(text, [...parameters]), name }
  return (await sql.getKysely().executeQuery<Row>(query)).rows
}

/** Runs a statement of Kysely's that is kept prepared. @param name of its text, which must be the same at each call */
export function runPrepared<Row>(
  sql: Sql,
  name: string,
  statement: RawBuilder<Row>,
): Promise<QueryResult<Row>> {
  const kysely = sql.getKysely()
  const query: NamedQuery = { ...statement.compile(kysely), name }
  return kysely.executeQuery<Row>(query)
}

/** Appends rows, then runs a query: in one round trip. @returns the first value of the query */
export const runCopies = (sql: Sql, copies: readonly Copy[], query: string): Promise<string> =>
  sql
    .getKysely()
    .getExecutor()
    .provideConnection(
      (connection) => (connection as PooledConnection).copy(new CopyQuery(copies, query)), // as our driver made it
    )

export interface TransactionOptions {
  /** All statements see the rows of the same moment. */
  isSnapshot?: boolean
  /** Settings of PostgreSQL until the transaction ends, such as `statement_timeout`. */
  settings?: Readonly<Record<string, string | number>>
}

/**
 * A transaction of its own, on a fork of `em`. Unlike `em.transactional` it begins with its settings in one round trip,
 * gives the connection back also when that was lost before or during commit, and writes the audit log. What runs in it
 * must not begin another one.
 */
export const inTransaction = <Result>(
  em: EntityManager,
  run: (em: EntityManager) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> => {
  const fork = em.fork()
  return fork
    .getKysely()
    .connection()
    .execute(async (connection) => {
      fork.setTransactionContext(connection as Transaction<unknown>) // what is run with it runs between begin and commit
      try {
        await runSql(fork, beginOf(options))
        const result = await run(fork)
        const entry = pendingEntry()
        if (entry && (await runSql(fork, INSERT_ENTRY, entry.values)).length > 0) entry.written()
        await runSql(fork, 'commit')
        return result
      } catch (error) {
        await runSql(fork, 'rollback').catch(() => {}) // the connection is lost, and the transaction with it
        throw error
      }
    })
}

function beginOf({ isSnapshot, settings = {} }: TransactionOptions = {}): string {
  const begin = isSnapshot ? 'begin isolation level repeatable read' : 'begin'
  const set = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
  return [begin, ...set].join('; ')
}

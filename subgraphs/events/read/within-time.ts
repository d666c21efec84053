import { AppError } from '../../../schema/errors.ts'
import { listsOf } from '../../platform/database/lists.repository.ts'
import { inTransaction, type Orm, type Sql } from '../tables/sql.repository.ts'

/** Runs what reads. @param atMostMs where less time than for others is enough @throws AppError OVERLOADED */
export type Within = <Result>(
  read: (sql: Sql) => Promise<Result>,
  atMostMs?: number,
) => Promise<Result>

const QUERY_CANCELED = '57014'

/**
 * What is read runs in one transaction, whose statements see the same rows, and which the database ends when they take
 * too long: an index helps most queries, but none that looks for one letter in millions of events.
 */
export const withinTime = (orm: Orm, timeoutMs: number): Within => {
  // Compiling takes longer than a list may, and what the planner takes for costly mostly ends after a page.
  const begin = 'begin isolation level repeatable read; set local jit = off'
  return async (read, atMostMs = timeoutMs) => {
    const limit = `set local statement_timeout = ${Math.min(atMostMs, timeoutMs)}`
    try {
      return await listsOf(orm.em).read((em) => inTransaction({ em }, read, `${begin}; ${limit}`))
    } catch (error) {
      if ((error as { code?: unknown }).code !== QUERY_CANCELED) throw error
      throw new TooSlow(timeoutMs, error)
    }
  }
}

/** The server is too slow for a query, for now or for good. */
class TooSlow extends AppError {
  constructor(timeoutMs: number, cause: unknown) {
    super(
      'OVERLOADED',
      `A statement of the query took longer than ${timeoutMs} ms (EVENTS_QUERY_TIMEOUT_MS). Try again later, or narrow it by a value of a field, a range, or a word of three letters and more: such events are looked up, once they are indexed; others are looked through`,
      { cause },
    )
  }
}

export const isTooSlow = (error: unknown): boolean => error instanceof TooSlow

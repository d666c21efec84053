import { AppError } from '../../../formats/errors.ts'
import { readInTime } from '../../../platform/database/lists.repository.ts'
import type { Orm } from '../../../platform/database/orm.ts'
import type { Sql } from '../../../platform/database/sql.ts'

/** Runs what reads. @param atMostMs where less time than for others is enough @throws AppError OVERLOADED */
export type Within = <Result>(
  read: (sql: Sql) => Promise<Result>,
  atMostMs?: number,
) => Promise<Result>

/** @param timeoutMs how long a statement may take */
export const withinTime =
  (orm: Orm, timeoutMs: number): Within =>
  (read, atMostMs = timeoutMs) =>
    readInTime(
      orm.em,
      Math.min(atMostMs, timeoutMs),
      read,
      (cause) => new TooSlow(timeoutMs, cause),
    )

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

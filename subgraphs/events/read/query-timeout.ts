import { AppError } from '../../../formats/errors.ts'
import { readInTime } from '../../../platform/database/lists.repository.ts'
import type { Orm } from '../../../platform/database/orm.ts'
import type { Sql } from '../../../platform/database/sql.ts'

/** Runs what reads, with how long each statement may take. @throws AppError OVERLOADED */
export type Within = <Result>(
  read: (sql: Sql, timeoutMs: number) => Promise<Result>,
) => Promise<Result>

/** @param timeoutMs how long a statement may take */
export const withinTime =
  (orm: Orm, timeoutMs: number): Within =>
  (read) =>
    readInTime(
      orm.em,
      timeoutMs,
      (sql) => read(sql, timeoutMs),
      (cause) => tooSlow(timeoutMs, cause),
    )

/** The server is too slow for a query, for now or for good. */
const tooSlow = (timeoutMs: number, cause: unknown): AppError =>
  new AppError(
    'OVERLOADED',
    `A statement of the query took longer than ${timeoutMs} ms (EVENTS_QUERY_TIMEOUT_MS). Try again later, or narrow it by a value of a field, a range, or a word of three letters and more: such events are looked up, once they are indexed; others are looked through`,
    { cause },
  )

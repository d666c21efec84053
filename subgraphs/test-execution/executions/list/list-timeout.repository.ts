import type { EntityManager } from '@mikro-orm/postgresql'
import { AppError } from '../../../../formats/errors.ts'
import { readInTime } from '../../../../platform/database/lists.repository.ts'

/**
 * Milliseconds that one statement of a list or a statistic of executions may take. No setting: an index serves every
 * filter, and what still takes longer is a fault to find, not to wait for. docs/reference/limits.md lists it.
 */
const EXECUTIONS_QUERY_TIMEOUT_MS = 10_000

/** Reads in one transaction whose statements the database ends when they take too long. @throws AppError OVERLOADED */
export const withinTime = <Result>(
  em: EntityManager,
  read: (em: EntityManager) => Promise<Result>,
): Promise<Result> => readInTime(em, EXECUTIONS_QUERY_TIMEOUT_MS, read, tooSlow)

const tooSlow = (cause: unknown): AppError =>
  new AppError(
    'OVERLOADED',
    `The query of executions took longer than ${EXECUTIONS_QUERY_TIMEOUT_MS} ms, a fixed limit (EXECUTIONS_QUERY_TIMEOUT_MS). Try again later, or narrow it by an exact value, a label or a range of time`,
    { cause },
  )

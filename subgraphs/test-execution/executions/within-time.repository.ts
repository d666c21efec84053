import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { AppError } from '../../../schema/errors.ts'
import { listsOf } from '../../platform/database/lists.repository.ts'
import { inTransaction } from '../../platform/database/orm.ts'

/**
 * Milliseconds that one statement of a list or a statistic of executions may take. No setting: an index serves every
 * filter, and what still takes longer is a fault to find, not to wait for. docs/reference/limits.md lists it.
 */
const EXECUTIONS_QUERY_TIMEOUT_MS = 10_000

const QUERY_CANCELED = '57014'

/** Reads in one transaction whose statements the database ends when they take too long. @throws AppError OVERLOADED */
export async function withinTime<Result>(
  em: EntityManager,
  read: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await listsOf(em).read((server) =>
      inTransaction(server, async (inside) => {
        await sql`select set_config('statement_timeout', ${String(EXECUTIONS_QUERY_TIMEOUT_MS)}, true),
          set_config('jit', 'off', true)`.execute(inside.getKysely())
        return read(inside)
      }),
    )
  } catch (error) {
    if ((error as { code?: unknown }).code !== QUERY_CANCELED) throw error
    throw new AppError(
      'OVERLOADED',
      `The query of executions took longer than ${EXECUTIONS_QUERY_TIMEOUT_MS} ms, a fixed limit (EXECUTIONS_QUERY_TIMEOUT_MS). Try again later, or narrow it by an exact value, a label or a range of time`,
      { cause: error },
    )
  }
}

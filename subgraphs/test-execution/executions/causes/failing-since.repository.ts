import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import type { Execution } from '../execution.entity.ts'
import { withinTime } from '../list/list-timeout.repository.ts'

/** The first failure behind the last good execution, and how many failed up to one. */
export interface FailingRow {
  firstId: string
  lastGoodId: string | null
  failures: number
}

/** Finds the beginning of a row of failures. */
export class FailingSinceRepository {
  constructor(private readonly em: EntityManager) {}

  /** Executions in the same environment count, unless none of them was good. @param execution that failed */
  async of(execution: Execution): Promise<FailingRow | null> {
    const { environmentId } = execution
    const same = sql`environment_id is not distinct from ${environmentId}::text`
    return withinTime(this.em, async (em) => {
      const inSame = await rowOf(em, execution, same)
      if (!inSame || inSame.lastGoodId !== null) return inSame
      const inAny = await rowOf(em, execution, sql`true`)
      return inAny?.lastGoodId ? inAny : inSame
    })
  }
}

async function rowOf(
  em: EntityManager,
  { id, contextId, type }: Execution,
  where: RawBuilder<unknown>,
): Promise<FailingRow | null> {
  const { rows } = await sql<FailingRow & { firstId: string | null }>`
    with good as (
      select id from test_execution.execution
      where context_id = ${contextId} and type = ${type} and id < ${id}::uuid and ${where}
        and state = 'COMPLETED' and started_by <> 'EDITOR'
      order by id desc limit 1
    )
    select (select id::text from good) as "lastGoodId", min(id::text) as "firstId",
      count(*)::int as failures
    from test_execution.execution
    where context_id = ${contextId} and type = ${type} and id <= ${id}::uuid and ${where}
      and id > coalesce((select id from good), '00000000-0000-0000-0000-000000000000')
      and state in ('FAILED', 'ERROR') and error_code is distinct from 'CANCELLED'
      and started_by <> 'EDITOR'`.execute(em.getKysely())
  const [row] = rows
  return row?.firstId ? row : null
}

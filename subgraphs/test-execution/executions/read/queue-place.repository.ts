import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { runPrepared } from '../../../../platform/database/sql.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionEntity } from '../execution.entity.ts'

/** Place of a running execution among those that wait for a worker, from 1; null where it waits no longer. */
export async function queuePlaceOf(
  em: EntityManager,
  { id, attempt, suite }: Execution,
): Promise<number | null> {
  const waiting = suite ? await waitingMember(em, id) : attempt === 0 ? id : null
  if (waiting === null) return null
  const before = await em
    .fork()
    .count(ExecutionEntity, { state: 'RUNNING', attempt: 0, suite: null, id: { $lt: waiting } })
  return before + 1
}

/** The first scenario of a suite that waits, while none of them is with a worker. */
async function waitingMember(em: EntityManager, suiteId: string): Promise<string | null> {
  const { rows } = await runPrepared(
    em,
    'waiting-member',
    sql<{ id: string; attempt: number }>`
    select id, attempt from test_execution.execution
    where suite_id = ${suiteId} and state = 'RUNNING' order by attempt desc, id limit 1`,
  )
  const [first] = rows
  return first?.attempt === 0 ? first.id : null
}

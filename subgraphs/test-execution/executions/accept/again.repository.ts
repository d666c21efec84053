import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'

/**
 * Appends a repetition to the chains of executions: the last one of each chain refers to it from now on. A chain goes on
 * from a scenario of a suite to the same one of the suite that repeats it.
 * @param ids executions that are repeated; the first one is locked, so that concurrent repetitions queue
 */
export async function linkRepetition(
  em: EntityManager,
  ids: readonly string[],
  againId: string,
): Promise<void> {
  const kysely = em.getKysely()
  await sql`select from test_execution.execution where id = ${ids[0]}::uuid for update`.execute(
    kysely,
  )
  await sql`
    with recursive chain as (
      select id, type, context_id, environment_id, again_id
      from test_execution.execution where id = any(${ids}::uuid[])
      union
      select next.id, next.type, next.context_id, next.environment_id, next.again_id
      from chain join test_execution.execution as next
        on (next.id = chain.again_id and next.type = chain.type)
          or (next.suite_id = chain.again_id and next.context_id = chain.context_id
            and next.environment_id is not distinct from chain.environment_id)
    )
    update test_execution.execution as last set again_id = ${againId}::uuid
    from chain where last.id = chain.id and last.again_id is null
      and last.id <> ${againId}::uuid`.execute(kysely)
}

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { inTransaction } from '../../../../platform/database/sql.ts'
import { deleteAttachments } from '../../attachments/attachment.repository.ts'
import { forgetKeys } from '../accept/execution-key.repository.ts'
import { forgetVerdicts } from '../causes/cause.repository.ts'

/** Deletes the details of old executions. */
export class RetentionRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Deletes steps, log, sources and lines of at most `batch` executions that ended before a time, in one transaction.
   * Deletes details; all that the simple result shows stays, and so do the steps that tests were reported as. Several may do so at once.
   * @returns of how many
   */
  prune(endedBefore: Date, batch: number): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const kysely = em.getKysely()
      const { rows } = await sql<{ id: string }>`
        select id from test_execution.execution
        where not details_pruned and ended < ${endedBefore}
        order by ended limit ${batch} for update skip locked`.execute(kysely)
      const ids = rows.map(({ id }) => id)
      if (ids.length === 0) return 0
      await sql`delete from test_execution.execution_update
        where execution_id = any(${ids}::uuid[])`.execute(kysely)
      await deleteAttachments(em, ids)
      await sql`update test_execution.execution
        set details_pruned = true, cause = null, cause_id = null, tries = (
          select coalesce(jsonb_agg(each || '{"steps": []}' order by at), '[]')
          from jsonb_array_elements(tries) with ordinality as earlier (each, at)), steps = (
          select coalesce(jsonb_agg(step order by at), '[]')
          from jsonb_array_elements(steps) with ordinality as all_steps (step, at)
          where step ->> 'kind' = 'test'), code_coverage = (
          select coalesce(jsonb_agg((element - 'sourceCode') || '{"hitLines": [], "untouchedLines": []}'), '[]')
          from jsonb_array_elements(code_coverage) as element)
        where id = any(${ids}::uuid[])`.execute(kysely)
      return ids.length
    })
  }

  /** Deletes what was said of causes that are no longer seen. */
  forgetVerdicts(setBefore: Date): Promise<void> {
    return forgetVerdicts(this.em.fork(), setBefore)
  }

  /** Removes the idempotency keys that hold no longer. */
  forgetKeys(): Promise<void> {
    return forgetKeys(this.em.fork())
  }
}

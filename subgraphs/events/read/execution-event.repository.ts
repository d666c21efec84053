import type { MikroORM } from '@mikro-orm/postgresql'
import { runSql } from '../../../platform/database/sql.ts'
import type { Condition } from '../../../platform/event-query/condition.ts'
import type { ExecutionCause } from '../ingestion/occurrence.ts'

export type ExecutionLink = ExecutionCause & { eventId: string }

/** Reads which executions caused which events. */
export class ExecutionEventRepository {
  constructor(private readonly orm: MikroORM) {}

  async findByExecutions(executionIds: readonly string[]): Promise<ExecutionLink[]> {
    return runSql(this.orm.em, `${SELECT} where execution_id = any ($1)`, [executionIds])
  }
}

/** Events that executions of a scenario or suite caused. */
export const causedByContext = (contextId: string): Condition => ({
  sql: 'exists (select from events.execution_event link where link.event_id = event.id and link.context_id = ?)',
  parameters: [contextId],
})

const SELECT = `select execution_id as "executionId", event_id as "eventId",
  context_id as "contextId", context_type as "contextType" from events.execution_event`

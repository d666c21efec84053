import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 as uuidv7 } from 'uuid'
import type { Caller } from '../../../../platform/access/caller.ts'
import { inTransaction, type Sql, YIELDING } from '../../../../platform/database/sql.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import { type Execution, ExecutionEntity } from '../execution.entity.ts'
import { checkCredentials, sealedCredentials, stateUpdate } from '../execution.rows.ts'
import type { ExecuteRequest, ExecutionDeps } from '../execution.service.ts'
import { EXECUTE, executeJob, type Label, readLabels } from '../execution.ts'
import { insertUpdates } from '../run/progress.repository.ts'
import { beginSuite } from '../suite/suite-run.repository.ts'
import type { PlannedMember } from '../suite/suite-run.ts'
import { newExecution } from './plan.ts'
import { requireRunRight } from './run-right.ts'

/** An execution that is to be accepted. */
export interface PlannedExecution {
  execution: Execution
  members: readonly PlannedMember[]
  /** Sealed. */
  credentials: string | null
}

/** Common part of executions that are planned together. */
export interface PlannedTogether
  extends Pick<ExecuteRequest, 'over' | 'credentials' | 'startedBy'> {
  contextId: string
}

/**
 * Accepts executions without a waiting caller, many in one transaction. 3 000 schedules that are due together are accepted in
 * 4.9 s; one after the other it takes 75 s (`BENCH_SCHEDULES=3000 npm run bench:execution -- schedules`).
 */
export class AcceptTogether {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly deps: Pick<ExecutionDeps, 'planner' | 'secrets'>,
    private readonly now: () => Date = currentTime,
  ) {}

  /**
   * @param labels of each execution
   * @throws AppError as `ExecutionService.execute`
   */
  async plan(
    { contextId, over, credentials, startedBy = 'USER' }: PlannedTogether,
    labels: readonly (readonly Label[])[],
    caller: Caller,
  ): Promise<PlannedExecution[]> {
    requireRunRight(caller)
    checkCredentials(credentials)
    const planner = this.deps.planner.over(over ?? {})
    const { context, members } = await planner.plan(contextId, null, Boolean(credentials), caller)
    const { user } = caller
    return labels.map((own) => ({
      members,
      credentials: sealedCredentials(credentials, this.deps.secrets),
      execution: newExecution(context, members, {
        ...{ started: this.now(), startedBy, againOf: null, callback: null },
        requestId: uuidv7(),
        executedBy: user ?? (credentials?.userId || 'anonymous'),
        open: user === null,
        labels: readLabels(own),
      }),
    }))
  }

  /** @param alongside runs first, in the transaction; where it throws, none is accepted */
  accept(
    planned: readonly PlannedExecution[],
    alongside: (em: Sql) => Promise<void>,
  ): Promise<void> {
    const { jobs } = this
    const accepting = async (em: EntityManager) => {
      await alongside(em)
      await em.insertMany(
        ExecutionEntity,
        planned.map(({ execution, members, credentials }) => ({
          ...execution,
          snapshot: execution.suite ? null : members[0]?.snapshot,
          credentials,
        })),
      )
      const executions = planned.map(({ execution }) => execution)
      await insertUpdates(em, executions.map(stateUpdate))
      const scenarios = executions.filter(({ suite }) => suite === null)
      const toJob = (each: Execution) => executeJob([each], { requestId: each.requestId })
      await jobs.enqueueAll(em, EXECUTE.name, scenarios.map(toJob))
      for (const { execution, members } of planned) {
        const { suite } = execution
        if (suite) await beginSuite({ em, jobs }, { ...execution, suite }, members)
      }
    }
    return inTransaction(this.em, accepting, YIELDING)
  }
}

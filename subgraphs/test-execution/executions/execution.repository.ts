import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { batched } from '../../../platform/async/turns.ts'
import { inTransaction, runPrepared } from '../../../platform/database/sql.ts'
import { activeJobs } from '../../../platform/jobs/job-statements.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { ReadBudget } from '../../../platform/paging/read-budget.ts'
import type { IdempotencyKey } from '../../../platform/request/idempotency-key.ts'
import { currentOperation } from '../../../platform/tracing/trace.ts'
import type { RunUpdate, StepResult } from '../../../runner/run/run-scenario.ts'
import { startedUnder, takeKey } from './accept/execution-key.repository.ts'
import { addTeardown, cancel } from './end/cancel.repository.ts'
import { type End, writeEnds } from './end/end.repository.ts'
import type { Execution } from './execution.entity.ts'
import { ExecutionEntity, ExecutionUpdateEntity } from './execution.entity.ts'
import { runUpdates, stateUpdate, UUID } from './execution.rows.ts'
import {
  type EarlierTry,
  EXECUTE,
  type ExecuteJob,
  executeJob,
  type StartedByName,
  type StoredUpdate,
} from './execution.ts'
import { queuePlaceOf } from './read/queue-place.repository.ts'
import { resultsBudget } from './read/results-budget.ts'
import {
  advance,
  executionsByIds,
  type Form,
  insertUpdates,
  type Selection,
  selectUpToBytes,
  take,
} from './run/progress.repository.ts'
import { beginSuite, lockSuite, membersEnded } from './suite/suite-run.repository.ts'
import { endedMember, type PlannedMember } from './suite/suite-run.ts'

/** Writes what belongs to the acceptance of an execution, in its transaction. */
export type Alongside = (em: EntityManager, id: string) => Promise<void>

export interface Accepting {
  /** Sealed. */
  credentials: string | null
  key: IdempotencyKey | null
  alongside?: Alongside
}

/** Storage of executions. What must happen together happens in one transaction. */
export class ExecutionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly budget: ReadBudget = resultsBudget(),
  ) {}

  /** @throws AppError OPERATION_LIMIT_EXCEEDED, as all that reads results does */
  async find(id: string): Promise<Execution | null> {
    if (!UUID.test(id)) return null
    const [execution] = await this.#read({ name: 'execution', rest: sql`where id = ${id}` })
    return execution ?? null
  }

  /** By operation, as each has a budget of its own. */
  readonly #suites = new WeakMap<object, (id: string) => Promise<Execution | undefined>>()

  /** The execution of a suite. An operation reads those of one turn of the event loop together. @throws as `find` */
  suite(id: string): Promise<Execution | undefined> {
    const operation = currentOperation() ?? {}
    const known = this.#suites.get(operation)
    if (known) return known(id)
    const load = batched(async (ids) => {
      const suites = await this.#read({ name: 'suites', rest: sql`where id = any(${ids}::uuid[])` })
      return new Map(suites.map((suite) => [suite.id, suite]))
    })
    this.#suites.set(operation, load)
    return load(id)
  }

  /** As `find`, but those of one turn of the event loop together. @param id of an execution that was accepted */
  readonly load = batched((ids) => executionsByIds(this.em.fork(), ids))

  /**
   * An execution with the results of the scenarios of a suite, as a callback sends it.
   * @throws AppError OPERATION_LIMIT_EXCEEDED where reading it is refused, too
   */
  async findWithMembers(id: string): Promise<(Execution & { members: Execution[] }) | null> {
    const execution = await this.find(id)
    const members = execution?.suite ? await this.members(id, 'BRIEF') : []
    return execution && { ...execution, members }
  }

  /** @returns the execution that a request under this key has started @throws AppError IDEMPOTENCY_MISMATCH */
  startedUnder(key: IdempotencyKey): Promise<string | null> {
    return startedUnder(this.em.fork(), key)
  }

  /**
   * Accepts an execution: its row, its first update and its job; of a suite what it is going to run, and the jobs of those
   * that begin.
   * @param members its scenarios: the one that it is, unless it is a suite
   * @returns the execution that stands: the given one, or the one that was started under its key before
   */
  accept(
    execution: Execution,
    members: readonly PlannedMember[],
    { credentials, key, alongside }: Accepting,
  ): Promise<string> {
    const { id, suite, requestId } = execution
    return inTransaction(this.em, async (em) => {
      const holder = key ? await takeKey(em, key, id) : id
      if (holder !== id) return holder
      const snapshot = suite ? null : members[0]?.snapshot
      await em.insert(ExecutionEntity, { ...execution, snapshot, credentials })
      await insertUpdates(em, [stateUpdate(execution)])
      if (suite) await beginSuite({ em, jobs: this.jobs }, { ...execution, suite }, members)
      else await this.jobs.enqueue(em, EXECUTE.name, executeJob([execution], { requestId }))
      await alongside?.(em, id)
      return id
    })
  }

  /**
   * Takes executions for their `attempt`-th run and forgets what an earlier run found out (`take`).
   * @returns by id; not those that have ended, or of which this or a later attempt was already taken
   */
  claim(ids: readonly string[], attempt: number): ReturnType<typeof take> {
    return take(this.em.fork(), ids, attempt)
  }

  /** Gives executions of a lane whose worker was lost to another one. @param of what their job said, and attempts so far */
  async runAgain(
    executions: readonly Execution[],
    of: Parameters<typeof executeJob>[1],
  ): Promise<void> {
    await this.jobs.enqueue(this.em.fork(), EXECUTE.name, executeJob(executions, of))
  }

  /**
   * Appends what a run reports.
   * @param steps all of them as they are now; null where they stay as they are
   * @param tried a try that did not succeed, kept so that the next one begins with no steps
   * @returns false when the execution is no longer this attempt's
   */
  append(
    { id, attempt }: Pick<Execution, 'id' | 'attempt'>,
    updates: readonly RunUpdate[],
    steps: StepResult[] | null,
    tried: EarlierTry | null = null,
  ): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const last = await advance(em, { id, attempt }, updates.length, steps, tried)
      if (last === null) return false
      await insertUpdates(em, runUpdates(id, last - updates.length, updates))
      return true
    })
  }

  /**
   * Ends executions (`writeEnds`); a suite that they belong to goes on.
   * @param ends of one suite, or all of none
   * @returns the executions that have ended: these without those that are no longer their attempt's, and their suite if
   *   it ends with them
   */
  finish(suiteId: string | null, ends: readonly End[]): Promise<string[]> {
    return inTransaction(this.em, async (em) => {
      const transaction = { em, jobs: this.jobs }
      const suite = suiteId ? await lockSuite(em, suiteId) : null
      const written = await writeEnds(transaction, ends)
      const ids = written.map(({ execution }) => execution.id)
      if (!suite || written.length === 0) return ids
      const suiteEnds = await membersEnded(transaction, suite, written.map(endedMember))
      return suiteEnds ? [...ids, suite.id] : ids
    })
  }

  /** Ends an execution before its time (`cancel`). @returns the executions that changed; none when it had ended */
  cancel(execution: Execution, message: string, now: Date): Promise<string[]> {
    return inTransaction(this.em, (em) => cancel({ em, jobs: this.jobs }, execution, message, now))
  }

  /** Adds what a cancelled execution did after its end (`addTeardown`). @returns whether it was cancelled in this attempt */
  addTeardown(
    execution: Execution,
    updates: readonly RunUpdate[],
    steps: readonly StepResult[],
  ): Promise<boolean> {
    return inTransaction(this.em, (em) => addTeardown(em, execution, updates, steps))
  }

  /** Those of the executions that have not ended, with their attempts. */
  async runningAttempts(ids: string[]): Promise<Map<string, number>> {
    const rows = await this.em
      .fork()
      .find(
        ExecutionEntity,
        { id: { $in: ids }, state: 'RUNNING' },
        { fields: ['id', 'attempt'], disableIdentityMap: true },
      )
    return new Map(rows.map(({ id, attempt }) => [id, attempt]))
  }

  /** At most `limit` updates behind `seq`, in order. */
  async updatesAfter(id: string, seq: number, limit: number): Promise<StoredUpdate[]> {
    const rows = await this.em
      .fork()
      .find(
        ExecutionUpdateEntity,
        { executionId: id, seq: { $gt: seq } },
        { orderBy: { seq: 'asc' }, limit },
      )
    return rows.map(({ step, log, ...row }) => ({ ...row, step: step ?? null, log: log ?? null }))
  }

  /** The scenarios of a suite that have begun, in its order. @param form BRIEF leaves out what only details show */
  members(suiteId: string, form: Form): Promise<Execution[]> {
    const rest = sql`where suite_id = ${suiteId} order by position`
    return this.#read({ name: 'members', rest, form })
  }

  #read(selection: Selection): Promise<Execution[]> {
    return this.budget.inTurn(async () => {
      const em = this.em.fork()
      const { executions, bytes, isCut } = await selectUpToBytes(em, selection, this.budget.bytes)
      if (isCut) throw this.budget.exceeded()
      return { value: executions, bytes }
    })
  }

  /**
   * True if the teardown of a suite has to wait: it is still wanted, and a worker holds a scenario that was cancelled, as
   * it tears that down.
   */
  async waitsForOthers({ executionId, tearsDown }: ExecuteJob): Promise<boolean> {
    const { rows } = await sql`
      select from test_execution.execution as teardown,
        (${sql.raw(activeJobs(EXECUTE.name))}) as job
      where teardown.id = ${executionId} and teardown.state = 'RUNNING'
        and not job.data ? 'tearsDown' and exists (
          select from test_execution.execution as other
          where other.suite_id = ${tearsDown} and other.error_code = 'CANCELLED'
            and (other.id = (job.data ->> 'executionId')::uuid or job.data -> 'rest' ? other.id::text))
      limit 1`.execute(this.em.fork().getKysely())
    return rows.length > 0
  }

  /** Place of a running execution among those that wait for a worker; null where it waits no longer. */
  queuePlace(execution: Execution): Promise<number | null> {
    return queuePlaceOf(this.em, execution)
  }

  /** Number of executions that wait for a worker. @param startedBy of these origins alone */
  async waiting(atMost: number, startedBy?: readonly StartedByName[]): Promise<number> {
    const origin = startedBy ? sql`and started_by = any(${startedBy})` : sql``
    const { rows } = await runPrepared(
      this.em,
      startedBy ? 'count-waiting-of' : 'count-waiting',
      sql<{ count: number }>`
      select count(*)::int as count from (
        select from test_execution.execution
        where state = 'RUNNING' and attempt = 0 and suite is null ${origin} limit ${atMost}) as waiting`,
    )
    return rows[0]?.count ?? 0
  }

  /** The last characters of the logs of some executions. */
  async logEnds(ids: readonly string[], length: number): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; text: string }>`
      select execution_id as id, right(string_agg(line, E'\\n' order by seq, place), ${length}) as text
      from test_execution.execution_update,
        jsonb_array_elements_text(log) with ordinality as lines (line, place)
      where execution_id = any(${ids}::uuid[]) and kind = 'LOG'
      group by execution_id`.execute(this.em.fork().getKysely())
    return new Map(rows.map(({ id, text }) => [id, text]))
  }

  /** All log lines so far, in order, each with its end. */
  log(id: string): Promise<string> {
    return this.budget.inTurn(async () => {
      const { rows } = await sql<{ lines: string }>`
        select string_agg(line || E'\\n', '' order by place) as lines
        from test_execution.execution_update,
          jsonb_array_elements_text(log) with ordinality as lines (line, place)
        where execution_id = ${id} and kind = 'LOG'
        group by seq order by seq`.execute(this.em.fork().getKysely())
      const value = rows.map(({ lines }) => lines).join('')
      return { value, bytes: value.length }
    })
  }
}

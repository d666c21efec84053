import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { runPrepared } from '../../../../platform/database/sql.ts'
import { type CodeCoverage, mergeCoverage } from '../../../../runner/coverage/line-coverage.ts'
import type { RunUpdate } from '../../../../runner/run/run-scenario.ts'
import type { JobTransaction } from '../../callbacks/callback-promise.repository.ts'
import { digestOfRevisions } from '../accept/snapshot.ts'
import { laterOf, writeEnds } from '../end/end.repository.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionEntity, SuiteMemberEntity } from '../execution.entity.ts'
import { runUpdates, stateUpdate } from '../execution.rows.ts'
import { type Ending, EXECUTE, executeJob, type SuiteRun } from '../execution.ts'
import {
  advanceSuite,
  EXECUTION,
  fromColumns,
  insertUpdates,
  selectExecutions,
} from '../run/progress.repository.ts'
import {
  dealt,
  type EndedMember,
  endingOf,
  laneUpdates,
  memberUpdates,
  nextInLanes,
  type PlannedMember,
  partSize,
  skippedUpdate,
  type UnneededScenario,
  vacancies,
  withBegun,
  withEnded,
  withSkipped,
} from './suite-run.ts'

/*
 * The execution of a suite has no job and no worker. It goes on in the transactions that end its scenarios: each of
 * them begins what may begin next, and the last one ends the suite. A job has a part of the suite, a lane. So it cannot be lost as long as no scenario is.
 * Whoever changes a scenario that belongs to a suite locks the row of the suite first.
 */

/** The execution of a suite together with what goes on in it. */
export type SuiteExecution = Execution & { suite: SuiteRun }

const BATCH = 100

/** Writes the scenarios to run, in order, inside the transaction that accepts the suite; then the first may begin. */
export async function beginSuite(
  transaction: JobTransaction,
  suite: SuiteExecution,
  members: readonly PlannedMember[],
): Promise<void> {
  for (let from = 0; from < members.length; from += BATCH)
    await transaction.em.insertMany(
      SuiteMemberEntity,
      members.slice(from, from + BATCH).map((member, at) => ({
        ...member,
        needs: [...member.needs],
        revisionDigest: digestOfRevisions(member.snapshot.revisions),
        suiteId: suite.id,
        position: from + at,
      })),
    )
  await goOn(transaction, suite, { updates: [], now: suite.started })
}

/** Locks a suite until the transaction ends. @returns null when it has ended */
export async function lockSuite(em: EntityManager, id: string): Promise<SuiteExecution | null> {
  const [locked] = await selectExecutions(em, 'lock-suite', sql`where id = ${id} for update`)
  return locked?.suite && locked.state === 'RUNNING' ? { ...locked, suite: locked.suite } : null
}

/** Takes note of scenarios that have ended in this transaction, and goes on. @param suite locked @returns whether it ends, too */
export async function membersEnded(
  transaction: JobTransaction,
  suite: SuiteExecution,
  members: readonly EndedMember[],
): Promise<boolean> {
  const { em } = transaction
  const begun = await startTurns(em, suite.id, nextInLanes(suite.suite, members))
  const tookMs = members.map(({ started, ended }) => +ended - +started)
  const now = new Date(Math.max(...members.map(({ ended }) => +ended)))
  const lost = await needingFailed(em, suite, members)
  const updates = [
    ...laneUpdates(suite.suite, members, begun),
    ...lost.map((each) => skippedUpdate(each, now)),
  ]
  const run = withSkipped(withEnded(suite.suite, members), lost)
  return goOn(transaction, { ...suite, suite: run }, { updates, now, tookMs })
}

/**
 * Ends the scenarios of a suite for good: what has not begun never does, apart from teardowns.
 * @param suite locked
 * @param members that ran, ended in this transaction
 */
export async function cancelSuite(
  transaction: JobTransaction,
  suite: SuiteExecution,
  members: readonly EndedMember[],
  { message, now, updates }: { message: string; now: Date; updates: readonly RunUpdate[] },
): Promise<void> {
  const skipped = await dropPlanned(transaction.em, suite.id, sql`and not is_teardown`)
  const run = { ...withEnded(suite.suite, members), skipped, cancelled: message }
  const all = [...laneUpdates(suite.suite, members), ...updates]
  const at = members.map(({ ended }) => ended).reduce(laterOf, now)
  await goOn(transaction, { ...suite, suite: run }, { updates: all, now: at })
}

/** Changes before a suite goes on. */
interface Continuing {
  updates: readonly RunUpdate[]
  now: Date
  /** Durations of scenarios that have ended. */
  tookMs?: readonly number[]
}

/** Begins what may begin, and ends a suite in which nothing is left to wait for. @returns whether it ends */
async function goOn(
  transaction: JobTransaction,
  suite: SuiteExecution,
  { updates, now, tookMs = [] }: Continuing,
): Promise<boolean> {
  const { em } = transaction
  const { suite: before } = suite
  const planned = { lanes: vacancies(before), size: partSize(before, tookMs), isTeardown: false }
  const parts = await beginNext(transaction, suite, planned, now)
  // Teardowns come behind all others, also where a failure keeps those from beginning.
  if (parts.length + before.lanes.length === 0) {
    const last = { lanes: before.maxParallel, size: 1, isTeardown: true }
    parts.push(...(await beginNext(transaction, suite, last, now)))
  }
  const run = withBegun(
    suite.suite,
    parts.map((part) => part.map(({ position }) => position ?? 0)),
  )
  const all = [...updates, ...parts.flatMap(([first]) => (first ? memberUpdates(first) : []))]
  const updateCount = suite.updateCount + all.length
  await advanceSuite(em, suite.id, run, updateCount)
  if (all.length > 0) await insertUpdates(em, runUpdates(suite.id, suite.updateCount, all))
  if (run.lanes.length > 0) return false
  await endSuite(transaction, { ...suite, suite: run, updateCount }, endingOf(run), now)
  return true
}

/** Writes when scenarios that waited in their lanes have begun. @returns them */
async function startTurns(
  em: EntityManager,
  suiteId: string,
  turns: readonly { position: number; since: Date }[],
): Promise<Execution[]> {
  if (turns.length === 0) return []
  const { rows } = await runPrepared(
    em,
    'start-turns',
    sql<object>`
    update test_execution.execution set started = turn.since
    from jsonb_to_recordset(${JSON.stringify(turns.map(({ position, since }) => ({ at: position, since })))}::jsonb) as turn (at int, since timestamptz)
    where suite_id = ${suiteId} and position = turn.at returning ${EXECUTION}`,
  )
  return rows.map((row) => fromColumns(em, row))
}

/** Ends a suite. What has not begun never does. @param suite locked */
async function endSuite(
  transaction: JobTransaction,
  suite: SuiteExecution,
  ending: Pick<Ending, 'state' | 'message' | 'errorCode'>,
  now: Date,
): Promise<void> {
  const { em } = transaction
  const skipped = await dropPlanned(em, suite.id)
  if (skipped.length > 0)
    await advanceSuite(em, suite.id, { ...suite.suite, skipped }, suite.updateCount)
  await forgetCaptures(em, suite)
  const codeCoverage = await coverageOf(em, suite.id)
  const result = { ...ending, codeCoverage, steps: [], validationFailures: [] }
  await writeEnds(transaction, [{ execution: suite, ending: result, ended: now, updates: [] }])
}

/** Forgets what has not begun. @returns the names, in the order of the suite */
async function dropPlanned(
  em: EntityManager,
  suiteId: string,
  which: RawBuilder<unknown> = sql``,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with dropped as (
      delete from test_execution.suite_member where suite_id = ${suiteId} ${which} returning *)
    select context_name as name from dropped order by position`.execute(em.getKysely())
  return rows.map(({ name }) => name)
}

/** SQL: a planned scenario has all that it needs. */
const NEEDS_MET = sql`and not exists (
  select from unnest(suite_member.needs) as need (position) where not exists (
    select from test_execution.execution as needed
    where needed.suite_id = suite_member.suite_id and needed.position = need.position
      and needed.state = 'COMPLETED'))`

/** Forgets what needs a scenario that did not succeed, also by way of others. @returns it with the reason */
async function needingFailed(
  em: EntityManager,
  { id, suite }: SuiteExecution,
  members: readonly EndedMember[],
): Promise<UnneededScenario[]> {
  if (!suite.hasNeeds) return []
  const skipped: UnneededScenario[] = []
  for (const { position, contextName, state } of members) {
    if (state === 'COMPLETED') continue
    const { rows } = await sql<{ name: string; isQuarantined: boolean }>`
      with recursive lost as (
        select position from test_execution.suite_member
        where suite_id = ${id} and needs @> array[${position}::int]
        union
        select further.position from test_execution.suite_member as further
        join lost on further.needs @> array[lost.position]
        where further.suite_id = ${id}
      ), dropped as (
        delete from test_execution.suite_member
        where suite_id = ${id} and position in (select position from lost) returning *)
      select context_name as name,
        coalesce((snapshot ->> 'isQuarantined')::boolean, false) as "isQuarantined"
      from dropped order by position`.execute(em.getKysely())
    const reason = `It needs ${contextName}, which is ${state}`
    skipped.push(...rows.map((row) => ({ ...row, reason })))
  }
  return skipped
}

/** Deletes captures of setups, which are for their suite alone. */
async function forgetCaptures(em: EntityManager, { id, suite }: SuiteExecution): Promise<void> {
  if (!suite.hasNeeds) return
  await sql`update test_execution.execution set captures = null
    where suite_id = ${id} and captures is not null`.execute(em.getKysely())
}

/** Turns the next planned scenarios into executions of their own. @param planned size of a part, and how many @returns them by lanes */
async function beginNext(
  transaction: JobTransaction,
  suite: SuiteExecution,
  { lanes, size, isTeardown }: { lanes: number; size: number; isTeardown: boolean },
  now: Date,
): Promise<Execution[][]> {
  if (lanes <= 0) return []
  const { em, jobs } = transaction
  const count = lanes * size
  const ids = Array.from({ length: count }, () => uuidv7())
  const isNeeding = suite.suite.hasNeeds && !isTeardown
  const statement = sql<object>`
    with taken as (
      delete from test_execution.suite_member where suite_id = ${suite.id} and position in (
        select position from test_execution.suite_member
        where suite_id = ${suite.id} and is_teardown = ${isTeardown}
          ${isNeeding ? NEEDS_MET : sql``}
        order by position limit ${count})
      returning *
    ), numbered as (select *, row_number() over (order by position) as nth from taken)
    insert into test_execution.execution (id, type, context_id, context_name, state, attempt,
      update_count, started, executed_by, open, request_id, use_code_coverage, steps,
      validation_failures, code_coverage, snapshot, credentials, suite_id, position, labels,
      environment_id, revisions, revision_digest, is_quarantined, started_by)
    select ids.id, 'TEST', numbered.context_id, numbered.context_name, 'RUNNING', 0, 1, ${now},
      suite.executed_by, suite.open, suite.request_id, numbered.use_code_coverage, '[]', '[]', '[]',
      numbered.snapshot, suite.credentials, suite.id, numbered.position, suite.labels,
      numbered.snapshot ->> 'environmentId', coalesce(numbered.snapshot -> 'revisions', '[]'),
      numbered.revision_digest, coalesce((numbered.snapshot ->> 'isQuarantined')::boolean, false),
      suite.started_by
    from numbered
    join unnest(${ids}::uuid[]) with ordinality as ids (id, nth) using (nth)
    join test_execution.execution as suite on suite.id = numbered.suite_id
    returning ${EXECUTION}`
  const { rows } = await runPrepared(em, isNeeding ? 'begin-needing' : 'begin-next', statement)
  if (rows.length === 0) return []
  const executions = rows
    .map((row) => fromColumns(em, row))
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  await insertUpdates(em, executions.map(stateUpdate))
  const parts = dealt(executions, lanes)
  const { requestId } = suite
  await jobs.enqueueAll(
    em,
    EXECUTE.name,
    parts.map((part) =>
      executeJob(part, { requestId, ...(isTeardown && { tearsDown: suite.id }) }),
    ),
  )
  return parts
}

/** Coverage of its scenarios together. */
async function coverageOf(em: EntityManager, suiteId: string): Promise<CodeCoverage[]> {
  let merged: CodeCoverage[] = []
  for (let position = 0; ; ) {
    const rows = await em.find(
      ExecutionEntity,
      { suiteId, position: { $gte: position } },
      { fields: ['position', 'codeCoverage'], orderBy: { position: 'asc' }, limit: BATCH },
    )
    merged = mergeCoverage([...merged, ...rows.flatMap(({ codeCoverage }) => codeCoverage)])
    if (rows.length < BATCH) return merged
    position = (rows.at(-1)?.position ?? 0) + 1
  }
}

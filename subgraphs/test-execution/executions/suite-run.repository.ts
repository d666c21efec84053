import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Jobs } from '../../shared/jobs.ts'
import { type CodeCoverage, mergeCoverage } from '../runners/coverage/line-coverage.ts'
import type { RunUpdate } from '../runners/run-scenario.ts'
import { digestOfRevisions } from './artifact-revision.ts'
import { ExecutionEntity, SuiteMemberEntity } from './execution.entity.ts'
import { EXECUTE, type ExecuteJob } from './execution.queues.ts'
import { runUpdates, stateUpdate } from './execution.rows.ts'
import type { Ending, Execution, FinalState, SkippedScenario, SuiteRun } from './execution.ts'
import { writeEnd } from './execution-end.repository.ts'
import {
  advanceSuite,
  EXECUTION,
  fromColumns,
  insertUpdates,
  selectExecutions,
} from './progress.repository.ts'
import {
  endingOf,
  memberUpdates,
  type PlannedMember,
  skippedUpdate,
  vacancies,
  withBegun,
  withEnded,
  withSkipped,
} from './suite-run.ts'

/*
 * The execution of a suite has no job and no worker. It goes on in the transactions that end its scenarios: each of
 * them begins what may begin next, and the last one ends the suite. So it cannot be lost as long as no scenario is.
 * Whoever changes a scenario that belongs to a suite locks the row of the suite first.
 */

/** The execution of a suite together with what goes on in it. */
export type SuiteExecution = Execution & { suite: SuiteRun }

const BATCH = 100

/** Writes the scenarios to run, in order, inside the transaction that accepts the suite; then the first may begin. */
export async function beginSuite(
  em: EntityManager,
  jobs: Jobs,
  suite: SuiteExecution,
  members: readonly PlannedMember[],
): Promise<void> {
  for (let from = 0; from < members.length; from += BATCH)
    await em.insertMany(
      SuiteMemberEntity,
      members.slice(from, from + BATCH).map((member, at) => ({
        ...member,
        needs: [...member.needs],
        revisionDigest: digestOfRevisions(member.snapshot.revisions),
        suiteId: suite.id,
        position: from + at,
      })),
    )
  await goOn(em, jobs, suite, [], suite.started)
}

/** Locks a suite until the transaction ends. @returns null when it has ended */
export async function lockSuite(em: EntityManager, id: string): Promise<SuiteExecution | null> {
  const [locked] = await selectExecutions(em, sql`where id = ${id} for update`)
  return locked?.suite && locked.state === 'RUNNING' ? { ...locked, suite: locked.suite } : null
}

/** Takes note of a scenario that has ended in this transaction, and goes on. @param suite locked @returns whether it ends, too */
export const memberEnded = async (
  em: EntityManager,
  jobs: Jobs,
  suite: SuiteExecution,
  member: Execution & { state: FinalState; ended: Date },
): Promise<boolean> => {
  const run = withEnded(suite.suite, member)
  const lost =
    run.hasNeeds && member.state !== 'COMPLETED' ? await dropNeeding(em, suite.id, member) : []
  return goOn(
    em,
    jobs,
    { ...suite, suite: withSkipped(run, lost) },
    [...memberUpdates(member), ...lost.map((each) => skippedUpdate(each, member.ended))],
    member.ended,
  )
}

/** Begins what may begin, and ends a suite in which nothing is left to wait for. @returns whether it ends */
async function goOn(
  em: EntityManager,
  jobs: Jobs,
  suite: SuiteExecution,
  updates: RunUpdate[],
  now: Date,
): Promise<boolean> {
  const begun = await beginNext(em, jobs, suite, vacancies(suite.suite), now)
  // Teardowns come behind all others, also where a failure keeps those from beginning.
  if (begun.length + suite.suite.running === 0)
    begun.push(...(await beginNext(em, jobs, suite, suite.suite.maxParallel, now, true)))
  const run = withBegun(suite.suite, begun.length)
  const all = [...updates, ...begun.flatMap(memberUpdates)]
  const updateCount = suite.updateCount + all.length
  await advanceSuite(em, suite.id, run, updateCount)
  if (all.length > 0) await insertUpdates(em, runUpdates(suite.id, suite.updateCount, all))
  if (run.running > 0) return false
  await endSuite(em, jobs, { ...suite, suite: run, updateCount }, endingOf(run), now)
  return true
}

/** Ends a suite. What has not begun never does. @param suite locked */
export async function endSuite(
  em: EntityManager,
  jobs: Jobs,
  suite: SuiteExecution,
  ending: Pick<Ending, 'state' | 'message' | 'errorCode'>,
  now: Date,
  updates: readonly RunUpdate[] = [],
): Promise<void> {
  const skipped = await dropPlanned(em, suite.id)
  if (skipped.length > 0)
    await advanceSuite(em, suite.id, { ...suite.suite, skipped }, suite.updateCount)
  await forgetCaptures(em, suite)
  const codeCoverage = await coverageOf(em, suite.id)
  const result = { ...ending, codeCoverage, steps: [], validationFailures: [] }
  await writeEnd(em, jobs, suite, result, now, updates)
}

/** Forgets what has not begun. @returns the names, in the order of the suite */
async function dropPlanned(em: EntityManager, suiteId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with dropped as (delete from test_execution.suite_member where suite_id = ${suiteId} returning *)
    select context_name as name from dropped order by position`.execute(em.getKysely())
  return rows.map(({ name }) => name)
}

/** Of a planned scenario. */
const NEEDS_MET = sql`and not exists (
  select from unnest(suite_member.needs) as need (position) where not exists (
    select from test_execution.execution as needed
    where needed.suite_id = suite_member.suite_id and needed.position = need.position
      and needed.state = 'COMPLETED'))`

/** Forgets what needs a scenario that did not succeed, also by way of others. @returns it with the reason */
async function dropNeeding(
  em: EntityManager,
  suiteId: string,
  { position, contextName, state }: Execution,
): Promise<SkippedScenario[]> {
  const { rows } = await sql<{ name: string }>`
    with recursive lost as (
      select position from test_execution.suite_member
      where suite_id = ${suiteId} and needs @> array[${position}::int] and not is_teardown
      union
      select further.position from test_execution.suite_member as further
      join lost on further.needs @> array[lost.position]
      where further.suite_id = ${suiteId} and not further.is_teardown
    ), dropped as (
      delete from test_execution.suite_member
      where suite_id = ${suiteId} and position in (select position from lost) returning *)
    select context_name as name from dropped order by position`.execute(em.getKysely())
  const reason = `It needs ${contextName}, which is ${state}`
  return rows.map(({ name }) => ({ name, reason }))
}

/** What setups captured is for their suite alone. */
async function forgetCaptures(em: EntityManager, { id, suite }: SuiteExecution): Promise<void> {
  if (!suite.hasNeeds) return
  await sql`update test_execution.execution set captures = null
    where suite_id = ${id} and captures is not null`.execute(em.getKysely())
}

/** Turns the next planned scenarios into executions of their own. @returns them */
async function beginNext(
  em: EntityManager,
  jobs: Jobs,
  suite: SuiteExecution,
  count: number,
  now: Date,
  isTeardown = false,
): Promise<Execution[]> {
  if (count <= 0) return []
  const ids = Array.from({ length: count }, () => uuidv7())
  const { rows } = await sql<object>`
    with taken as (
      delete from test_execution.suite_member where suite_id = ${suite.id} and position in (
        select position from test_execution.suite_member
        where suite_id = ${suite.id} and is_teardown = ${isTeardown}
          ${suite.suite.hasNeeds && !isTeardown ? NEEDS_MET : sql``}
        order by position limit ${count})
      returning *
    ), numbered as (select *, row_number() over (order by position) as nth from taken)
    insert into test_execution.execution (id, type, context_id, context_name, state, attempt,
      update_count, started, executed_by, open, request_id, use_code_coverage, steps,
      validation_failures, code_coverage, snapshot, credentials, suite_id, position, labels,
      environment_id, revisions, revision_digest, is_quarantined)
    select ids.id, 'TEST', numbered.context_id, numbered.context_name, 'RUNNING', 0, 1, ${now},
      suite.executed_by, suite.open, suite.request_id, numbered.use_code_coverage, '[]', '[]', '[]',
      numbered.snapshot, suite.credentials, suite.id, numbered.position, suite.labels,
      numbered.snapshot ->> 'environmentId', coalesce(numbered.snapshot -> 'revisions', '[]'),
      numbered.revision_digest, coalesce((numbered.snapshot ->> 'isQuarantined')::boolean, false)
    from numbered
    join unnest(${ids}::uuid[]) with ordinality as ids (id, nth) using (nth)
    join test_execution.execution as suite on suite.id = numbered.suite_id
    returning ${EXECUTION}`.execute(em.getKysely())
  if (rows.length === 0) return []
  const executions = rows
    .map((row) => fromColumns(em, row))
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  await insertUpdates(em, executions.map(stateUpdate))
  const { requestId } = suite
  for (const { id } of executions)
    await jobs.enqueue(em, EXECUTE.name, { executionId: id, requestId } satisfies ExecuteJob)
  return executions
}

/** What its scenarios covered together. */
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

import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { toRow } from '../../../../platform/database/row.ts'
import { runPrepared } from '../../../../platform/database/sql.ts'
import type { StepResult } from '../../../../runner/run/run-scenario.ts'
import type { ExecutionSnapshot } from '../accept/snapshot.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionEntity } from '../execution.entity.ts'
import { toExecution } from '../execution.rows.ts'
import type { Cause, EarlierTry, Ending, StoredUpdate, SuiteRun } from '../execution.ts'

/*
 * Statements that every execution runs several times, as plain SQL: the mapper takes longer to make such a
 * statement than the database to run it.
 */

/** Execution, and the run that may write. */
export interface Running {
  id: string
  attempt: number
}

const LONG = 'steps, tries, validation_failures, code_coverage'
const COLUMNS = `id, type, context_id, context_name, state, attempt, update_count,
  started, ended, message, error_code, executed_by, use_code_coverage, open, callback, request_id,
  ${LONG}, suite_id, position, suite, details_pruned,
  labels, environment_id, revisions, revision_digest, is_quarantined, started_by, again_of, again_id,
  cause_id`

/** Columns that `fromColumns` reads. */
export const EXECUTION = sql.raw(COLUMNS)

/** The same as a result of a suite shows it: of the steps only reported tests, of coverage neither source nor lines. */
const BRIEF = sql.raw(
  COLUMNS.replace(
    LONG,
    `jsonb_path_query_array(steps, '$[*] ? (@.kind == "test")') as steps,
    (select coalesce(jsonb_agg(each || '{"steps": []}' order by at), '[]')
      from jsonb_array_elements(tries) with ordinality as earlier (each, at)) as tries, validation_failures,
    (select coalesce(jsonb_agg(each || '{"sourceCode": "", "hitLines": [], "untouchedLines": []}' order by at), '[]')
      from jsonb_array_elements(code_coverage) with ordinality as elements (each, at)) as code_coverage`,
  ),
)

/** Executions without what only a run needs. @param name of the statement @param rest what follows `from` */
export async function selectExecutions(
  em: EntityManager,
  name: string,
  rest: RawBuilder<unknown>,
): Promise<Execution[]> {
  const statement = sql<object>`select ${EXECUTION} from test_execution.execution ${rest}`
  const { rows } = await runPrepared(em, name, statement)
  return rows.map((row) => fromColumns(em, row))
}

export async function executionsByIds(
  em: EntityManager,
  ids: readonly string[],
): Promise<Map<string, Execution>> {
  const found = await selectExecutions(em, 'executions-by-ids', sql`where id = any(${ids}::uuid[])`)
  return new Map(found.map((execution) => [execution.id, execution]))
}

/** Bytes of what may be long. */
const BYTES = sql.raw(
  'octet_length(concat(steps, tries, validation_failures, code_coverage))::float8',
)

/** BRIEF leaves out what only details show. */
export type Form = 'WHOLE' | 'BRIEF'

/** Selection of executions to read. */
export interface Selection {
  /** Name of the statement in this form. */
  name: string
  /** As in `selectExecutions`, with its order. */
  rest: RawBuilder<unknown>
  form?: Form
}

/** The first of some executions, up to a number of bytes; the last one may exceed it. */
export async function selectUpToBytes(
  em: EntityManager,
  { name, rest, form = 'WHOLE' }: Selection,
  bytes: number,
): Promise<{ executions: Execution[]; bytes: number; isCut: boolean }> {
  const statement = sql<{ so_far: number; read: number }>`
    select * from (
      select found.*, count(*) over ()::float8 as read,
        sum(bytes) over (order by place rows unbounded preceding) as so_far
      from (
        select ${EXECUTION}, ${BYTES} as bytes, row_number() over () as place
        from (select ${form === 'BRIEF' ? BRIEF : EXECUTION} from test_execution.execution ${rest}) as execution
      ) as found
    ) as sized where so_far - bytes < ${bytes} order by place`
  const { rows } = await runPrepared(em, `${name}-${form.toLowerCase()}`, statement)
  return {
    executions: rows.map((row) => fromColumns(em, row)),
    bytes: rows.at(-1)?.so_far ?? 0,
    isCut: rows.length < (rows[0]?.read ?? 0),
  }
}

export const fromColumns = (em: EntityManager, row: object): Execution =>
  toExecution(toRow(em, ExecutionEntity, row))

/** An execution that was taken for a run, and what only the run needs. */
export interface Taken {
  execution: Execution
  /** Attempts before this one: 0 says that it never ran. */
  attemptsBefore: number
  snapshot: ExecutionSnapshot
  /** Sealed. */
  credentials: string | null
  /** Sealed: what the setup of its suite captured. */
  captures: string | null
}

/**
 * Takes executions for a run, in one statement. An execution that must not run twice counts as run from here on, so it
 * is taken only when it is the first.
 * @returns by id those that no other worker has, and that have not ended
 */
export async function take(
  em: EntityManager,
  ids: readonly string[],
  attempt: number,
): Promise<Map<string, Taken>> {
  const { rows } = await runPrepared(
    em,
    'take-executions',
    sql<Omit<Taken, 'execution'>>`
    update test_execution.execution set attempt = ${attempt}, steps = '[]'
    from (
      select id as held_id, attempt as attempts_before from test_execution.execution
      where id = any(${ids}::uuid[]) and state = 'RUNNING' and attempt < ${attempt}
        and (id = ${ids[0]}::uuid or (snapshot ->> 'rerunAfterCrash')::boolean)
      order by id for update
    ) as held
    where id = held_id
    returning attempts_before as "attemptsBefore", snapshot, credentials, (
      select setup.captures from test_execution.execution as setup
      where setup.suite_id = execution.suite_id
        and setup.position = (execution.snapshot ->> 'setupAt')::int
    ) as captures, ${EXECUTION}`,
  )
  const taken = rows.map(({ attemptsBefore, snapshot, credentials, captures, ...columns }) => ({
    execution: fromColumns(em, columns),
    attemptsBefore,
    snapshot,
    credentials,
    captures,
  }))
  return new Map(taken.map((each) => [each.execution.id, each]))
}

/**
 * Counts updates that are about to be written, while the execution is RUNNING in this attempt.
 * @param steps all of them as they are now; null where they stay as they are
 * @param tried a try to keep: the next one begins
 * @returns the new `updateCount`, or null
 */
export async function advance(
  em: EntityManager,
  { id, attempt }: Running,
  updates: number,
  steps: readonly StepResult[] | null,
  tried: EarlierTry | null = null,
): Promise<number | null> {
  const { rows } = await runPrepared(
    em,
    'advance-execution',
    sql<{ count: number }>`
    update test_execution.execution set
      update_count = update_count + ${updates},
      steps = coalesce(${steps && JSON.stringify(steps)}::jsonb, steps),
      tries = coalesce(tries || ${tried && JSON.stringify([tried])}::jsonb, tries)
    where id = ${id} and attempt = ${attempt} and state = 'RUNNING'
    returning update_count as count`,
  )
  return rows[0]?.count ?? null
}

/** An end to write: of which run, after how many updates, and what it found out. */
export type EndOfRun = Running &
  Ending & { contextName: string; started: Date; ended: Date; updates: number; cause: Cause | null }

/**
 * Writes ends, each like `advance`, in one statement. What was needed only to run the executions goes.
 * @returns by id the new `updateCount` of those that have ended
 */
export async function advanceToEnd(
  em: EntityManager,
  ends: readonly EndOfRun[],
): Promise<Map<string, number>> {
  const rows = ends.map(({ message, contextName, ...end }) => ({
    ...end,
    message: message.toWellFormed(),
    contextName: contextName.toWellFormed(),
  }))
  const { rows: ended } = await runPrepared(
    em,
    'end-executions',
    sql<{ id: string; count: number }>`
    with held as (
      select execution.id as held_id, ending.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as ending (id uuid, attempt int, updates int, state text, message text, "errorCode" text, "contextName" text,
          started timestamptz, ended timestamptz, steps jsonb, "validationFailures" jsonb, "codeCoverage" jsonb, captures text, cause jsonb)
      join test_execution.execution on execution.id = ending.id
      where execution.attempt = ending.attempt and execution.state = 'RUNNING'
      order by execution.id for update of execution
    )
    update test_execution.execution set
      update_count = update_count + held.updates,
      state = held.state, message = held.message, error_code = held."errorCode",
      context_name = held."contextName", started = held.started, ended = held.ended,
      steps = held.steps, validation_failures = held."validationFailures", code_coverage = held."codeCoverage",
      use_code_coverage = execution.use_code_coverage and held."codeCoverage" <> '[]',
      captures = held.captures, credentials = null, snapshot = null,
      cause = held.cause, cause_id = held.cause ->> 'id'
    from held where execution.id = held_id
    returning execution.id, update_count as count`,
  )
  return new Map(ended.map(({ id, count }) => [id, count]))
}

/** Writes how a suite goes on. @param id of one that is locked */
export async function advanceSuite(
  em: EntityManager,
  id: string,
  suite: SuiteRun,
  updateCount: number,
): Promise<void> {
  await runPrepared(
    em,
    'advance-suite',
    sql`
    update test_execution.execution
    set suite = ${JSON.stringify(suite)}::jsonb, update_count = ${updateCount}
    where id = ${id}`,
  )
}

export async function insertUpdates(
  em: EntityManager,
  updates: readonly StoredUpdate[],
): Promise<void> {
  await runPrepared(
    em,
    'insert-updates',
    sql`
    insert into test_execution.execution_update (execution_id, seq, kind, state, step, log, position)
    select "executionId", seq, kind, state, step, log,
      case when kind = 'STATE' then nextval('test_execution.execution_update_position_seq') end
    from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb)
      as row ("executionId" uuid, seq int, kind text, state text, step jsonb, log jsonb)`,
  )
}

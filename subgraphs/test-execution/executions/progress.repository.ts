import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import type { StepResult } from '../runners/run-scenario.ts'
import { ExecutionEntity } from './execution.entity.ts'
import { toExecution } from './execution.rows.ts'
import type { ExecutionSnapshot } from './execution.snapshot.ts'
import type { EarlierTry, Ending, Execution, StoredUpdate, SuiteRun } from './execution.ts'

/*
 * What every execution writes several times while it goes on, as plain SQL: the mapper takes longer to make such a
 * statement than the database to run it.
 */

/** Which execution, and the run that may write. */
export interface Running {
  id: string
  attempt: number
}

const LONG = 'steps, tries, validation_failures, code_coverage'
const COLUMNS = `id, type, context_id, context_name, state, attempt, update_count,
  started, ended, message, error_code, executed_by, use_code_coverage, open, callback, request_id,
  ${LONG}, suite_id, position, suite, details_pruned,
  labels, environment_id, revisions, revision_digest, is_quarantined`

/** What `fromColumns` reads. */
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

/** Executions without what only a run needs. @param rest what follows `from` */
export async function selectExecutions(
  em: EntityManager,
  rest: RawBuilder<unknown>,
): Promise<Execution[]> {
  const { rows } = await sql<object>`
    select ${EXECUTION} from test_execution.execution ${rest}`.execute(em.getKysely())
  return rows.map((row) => fromColumns(em, row))
}

export async function executionsByIds(
  em: EntityManager,
  ids: readonly string[],
): Promise<Map<string, Execution>> {
  const found = await selectExecutions(em, sql`where id = any(${ids}::uuid[])`)
  return new Map(found.map((execution) => [execution.id, execution]))
}

/** Bytes of what may be long. */
const BYTES = sql.raw(
  'octet_length(concat(steps, tries, validation_failures, code_coverage))::float8',
)

/**
 * The first of some executions, up to a number of bytes; the last one may exceed it.
 * @param rest as in `selectExecutions`, with its order
 * @param form BRIEF leaves out what only details show
 */
export async function selectUpToBytes(
  em: EntityManager,
  rest: RawBuilder<unknown>,
  most: number,
  form: 'WHOLE' | 'BRIEF' = 'WHOLE',
): Promise<{ executions: Execution[]; bytes: number; isCut: boolean }> {
  const { rows } = await sql<{ so_far: number; read: number }>`
    select * from (
      select found.*, count(*) over ()::float8 as read,
        sum(bytes) over (order by place rows unbounded preceding) as so_far
      from (
        select ${EXECUTION}, ${BYTES} as bytes, row_number() over () as place
        from (select ${form === 'BRIEF' ? BRIEF : EXECUTION} from test_execution.execution ${rest}) as execution
      ) as found
    ) as sized where so_far - bytes < ${most} order by place`.execute(em.getKysely())
  return {
    executions: rows.map((row) => fromColumns(em, row)),
    bytes: rows.at(-1)?.so_far ?? 0,
    isCut: rows.length < (rows[0]?.read ?? 0),
  }
}

export const fromColumns = (em: EntityManager, row: object): Execution =>
  toExecution(em.map(ExecutionEntity, row))

/** An execution that was taken for a run, and what only the run needs. */
interface Taken {
  execution: Execution
  snapshot: ExecutionSnapshot
  /** Sealed. */
  credentials: string | null
  /** Sealed: what the setup of its suite captured. */
  captures: string | null
}

/** Takes an execution for a run. @returns null if another worker has it, or it has ended */
export async function take(em: EntityManager, { id, attempt }: Running): Promise<Taken | null> {
  const { rows } = await sql<Omit<Taken, 'execution'>>`
    update test_execution.execution set attempt = ${attempt}, steps = '[]'
    where id = ${id} and state = 'RUNNING' and attempt < ${attempt}
    returning snapshot, credentials, (
      select setup.captures from test_execution.execution as setup
      where setup.suite_id = execution.suite_id
        and setup.position = (execution.snapshot ->> 'setupAt')::int
    ) as captures, ${EXECUTION}`.execute(em.getKysely())
  const [row] = rows
  if (!row) return null
  const { snapshot, credentials, captures, ...columns } = row
  return { execution: fromColumns(em, columns), snapshot, credentials, captures }
}

/** Keeps a try and forgets its steps, like `advance`: the next one begins. */
export async function keepTry(
  em: EntityManager,
  { id, attempt }: Running,
  updates: number,
  tried: EarlierTry,
): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    update test_execution.execution set update_count = update_count + ${updates},
      steps = '[]', tries = tries || ${JSON.stringify([tried])}::jsonb
    where id = ${id} and attempt = ${attempt} and state = 'RUNNING'
    returning update_count as count`.execute(em.getKysely())
  return rows[0]?.count ?? null
}

/**
 * Counts updates that are about to be written, while the execution is RUNNING in this attempt.
 * @param steps all of them as they are now; null where they stay as they are
 * @returns the new `updateCount`, or null
 */
export async function advance(
  em: EntityManager,
  { id, attempt }: Running,
  updates: number,
  steps: readonly StepResult[] | null,
): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    update test_execution.execution set
      update_count = update_count + ${updates},
      steps = coalesce(${steps && JSON.stringify(steps)}::jsonb, steps)
    where id = ${id} and attempt = ${attempt} and state = 'RUNNING'
    returning update_count as count`.execute(em.getKysely())
  return rows[0]?.count ?? null
}

/** Writes the end, like `advance`. What was needed only to run the execution goes. */
export async function advanceToEnd(
  em: EntityManager,
  { id, attempt }: Running,
  updates: number,
  ending: Ending & { contextName: string; ended: Date },
): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    update test_execution.execution set
      update_count = update_count + ${updates},
      state = ${ending.state}, message = ${ending.message}, error_code = ${ending.errorCode},
      context_name = ${ending.contextName}, ended = ${ending.ended},
      steps = ${JSON.stringify(ending.steps)}::jsonb,
      validation_failures = ${JSON.stringify(ending.validationFailures)}::jsonb,
      code_coverage = ${JSON.stringify(ending.codeCoverage)}::jsonb,
      captures = ${ending.captures ?? null}, credentials = null, snapshot = null
    where id = ${id} and attempt = ${attempt} and state = 'RUNNING'
    returning update_count as count`.execute(em.getKysely())
  return rows[0]?.count ?? null
}

/** Writes how a suite goes on. @param id of one that is locked */
export async function advanceSuite(
  em: EntityManager,
  id: string,
  suite: SuiteRun,
  updateCount: number,
): Promise<void> {
  await sql`
    update test_execution.execution
    set suite = ${JSON.stringify(suite)}::jsonb, update_count = ${updateCount}
    where id = ${id}`.execute(em.getKysely())
}

export async function insertUpdates(
  em: EntityManager,
  updates: readonly StoredUpdate[],
): Promise<void> {
  await sql`
    insert into test_execution.execution_update (execution_id, seq, kind, state, step, log, position)
    select "executionId", seq, kind, state, step, log,
      case when kind = 'STATE' then nextval('test_execution.execution_update_position_seq') end
    from jsonb_to_recordset(${JSON.stringify(updates)}::jsonb)
      as row ("executionId" uuid, seq int, kind text, state text, step jsonb, log jsonb)`.execute(
    em.getKysely(),
  )
}

import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { AppError } from '../../../../formats/errors.ts'
import { logLine } from '../../../../runner/run/log.ts'
import type { RunUpdate, StepResult } from '../../../../runner/run/run-scenario.ts'
import type { JobTransaction } from '../../callbacks/callback-promise.repository.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionEntity } from '../execution.entity.ts'
import { runUpdates, toExecution } from '../execution.rows.ts'
import { insertUpdates } from '../run/progress.repository.ts'
import { cancelSuite, lockSuite, membersEnded } from '../suite/suite-run.repository.ts'
import { endedMember } from '../suite/suite-run.ts'
import { type End, laterOf, writeEnds } from './end.repository.ts'

/**
 * Ends an execution inside a transaction. A worker that runs it finds its writes refused. All scenarios of a
 * suite end; the suite ends with its teardown. The end of one scenario lets its suite go on.
 * @returns the executions that changed; none when it had ended
 * @throws AppError CONFLICT for a suite that was cancelled and is being torn down
 */
export async function cancel(
  transaction: JobTransaction,
  { id, suite, suiteId }: Execution,
  message: string,
  now: Date,
): Promise<string[]> {
  const { em } = transaction
  const owner = suite ? id : suiteId
  const locked = owner ? await lockSuite(em, owner) : null
  if (suite && locked?.suite.cancelled !== undefined)
    throw new AppError(
      'CONFLICT',
      `The execution ${id} is cancelled and ends with its teardown, which can be cancelled by its own id`,
    )
  const running = await lockRunning(em, suite ? { suiteId: id } : { id })
  const ends = running.map((execution) => cancelled(execution, message, now))
  const ended = ends.length > 0 ? await writeEnds(transaction, ends) : []
  const members = ended.map(endedMember)
  if (locked && suite)
    await cancelSuite(transaction, locked, members, {
      message,
      now,
      updates: [cancelLine(message, now)],
    })
  else if (locked && ended.length > 0) await membersEnded(transaction, locked, members)
  return [...ended.map(({ execution }) => execution.id), ...(locked ? [locked.id] : [])]
}

/**
 * Adds what the teardown of a cancelled execution did to its result. State and message stay as they are.
 * @param updates since the teardown began
 * @param steps of the whole run
 * @returns false when the execution was not cancelled in this attempt
 */
export async function addTeardown(
  em: EntityManager,
  { id, attempt }: Execution,
  updates: readonly RunUpdate[],
  steps: readonly StepResult[],
): Promise<boolean> {
  const row = await em.findOne(
    ExecutionEntity,
    { id, attempt, errorCode: CANCELLED.errorCode },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!row) return false
  const known = new Map(row.steps.map((step) => [pathOf(step), step]))
  const isNew = (step: StepResult) => !known.has(pathOf(step))
  // Steps that the cancel ended are shown as it left them; a step of a teardown goes on to an end of its own.
  const wentOn = (step: StepResult) =>
    known.get(pathOf(step))?.errorCode === CANCELLED.errorCode &&
    step.state !== 'RUNNING' &&
    step.errorCode !== CANCELLED.errorCode
  const added = updates.filter(
    (update) => update.kind === 'LOG' || isNew(update.step) || wentOn(update.step),
  )
  const rows = runUpdates(id, row.updateCount, added, CANCELLED.state)
  const ends = new Map(steps.filter(wentOn).map((step) => [pathOf(step), step]))
  const all = [...row.steps.map((step) => ends.get(pathOf(step)) ?? step), ...steps.filter(isNew)]
  const updateCount = row.updateCount + added.length
  await em.nativeUpdate(ExecutionEntity, { id }, { steps: all, updateCount })
  if (rows.length > 0) await insertUpdates(em, rows)
  return true
}

const pathOf = ({ id, path = id }: StepResult): string => path

const CANCELLED = { state: 'ERROR', errorCode: 'CANCELLED' } as const

/** The result of a cancelled execution: its open step is an ERROR for the same reason. */
function cancelled(execution: Execution, message: string, now: Date): End {
  const cutOff = (step: StepResult): StepResult => {
    const started = new Date(step.started) // stored times are text
    const ended = laterOf(now, started)
    return { ...step, ...CANCELLED, ended, durationMs: +ended - +started, message }
  }
  const isOpen = ({ state }: StepResult) => state === 'RUNNING'
  const { steps, validationFailures } = execution
  return {
    execution,
    ending: {
      ...CANCELLED,
      message,
      steps: steps.map((step) => (isOpen(step) ? cutOff(step) : step)),
      validationFailures,
      codeCoverage: [],
    },
    ended: now,
    updates: [
      cancelLine(message, now),
      ...steps.filter(isOpen).map((step) => ({ kind: 'STEP' as const, step: cutOff(step) })),
    ],
  }
}

const cancelLine = (message: string, now: Date): RunUpdate => ({
  kind: 'LOG',
  lines: [logLine(now, 'ERROR', 'Execution', message)],
})

/** Locks scenarios that have not ended: until commit, no other transaction ends them or takes them over. */
async function lockRunning(
  em: EntityManager,
  which: { id: string } | { suiteId: string },
): Promise<Execution[]> {
  const [column, value] = 'id' in which ? ['id', which.id] : ['suite_id', which.suiteId]
  await sql`select from test_execution.execution
    where ${sql.ref(column)} = ${value} and suite is null and state = 'RUNNING'
    order by id for update`.execute(em.getKysely())
  const rows = await em.find(
    ExecutionEntity,
    { ...which, suite: null, state: 'RUNNING' },
    { orderBy: { position: 'asc' } },
  )
  return rows.map(toExecution)
}

import type { EntityManager } from '@mikro-orm/postgresql'
import { v7 as uuidv7 } from 'uuid'
import { inTransaction } from '../../../../platform/database/sql.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import type { IdempotencyKey } from '../../../../platform/request/idempotency-key.ts'
import { isLogLine, logLine } from '../../../../runner/run/log.ts'
import type { RunUpdate, StepResult } from '../../../../runner/run/run-scenario.ts'
import { insertAttachment } from '../../attachments/attachment.repository.ts'
import { takeKey } from '../accept/execution-key.repository.ts'
import { type End, writeEnds } from '../end/end.repository.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionEntity } from '../execution.entity.ts'
import { stateUpdate } from '../execution.rows.ts'
import type { Ending, FinalState } from '../execution.ts'
import { advance, insertUpdates } from '../run/progress.repository.ts'
import { endingOf, memberUpdates } from '../suite/suite-run.ts'
import type { Import, ImportedScenario, ImportedStep } from './imported.ts'
import { endOf } from './imported-times.ts'

const BATCH = 100

type Ran = ImportedScenario & { state: FinalState }

/** Stores executions that ran elsewhere: they begin and end in one transaction, as all others do. */
export class ImportRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
  ) {}

  /** @returns the id of the execution, or of the one that its key has stored before @throws AppError IDEMPOTENCY_MISMATCH */
  add(given: Import, key: IdempotencyKey | null): Promise<string> {
    const suite = suiteOf(given)
    return inTransaction(this.em, async (em) => {
      const holder = key ? await takeKey(em, key, suite.id) : suite.id
      if (holder !== suite.id) return holder
      const transaction = { em, jobs: this.jobs }
      const ran = given.scenarios.filter((each): each is Ran => each.state !== 'SKIPPED')
      await begin(em, [suite])
      const members: End[] = []
      for (let from = 0; from < ran.length; from += BATCH) {
        const batch = ran.slice(from, from + BATCH)
        const rows = batch.map((each, at) => memberOf(each, suite, from + at))
        await begin(em, rows)
        for (const [at, execution] of rows.entries())
          members.push(await endingIn(em, execution, batch[at] as Ran)) // as many as rows
        await writeEnds(transaction, members.slice(from))
      }
      const { codeCoverage, warnings } = given.coverage
      const judged = judgedBy(given.exitCode, endingOf(suite.suite))
      // Scenarios that did not run have no result of their own.
      const skipped = given.scenarios.filter(({ state }) => state === 'SKIPPED')
      const steps = await stepsOf(em, suite.id, { ...suite, steps: skipped.flatMap(withFiles) })
      const ending: Ending = { ...judged, ...NOTHING, steps, codeCoverage }
      const lines = [
        ...[...given.warnings, ...warnings].map((each) =>
          logLine(given.now, 'WARN', 'Import', each),
        ),
        ...skipped.flatMap((each) => logOf(each, each.name)),
      ]
      const updates: RunUpdate[] = [
        ...members.flatMap(({ execution, ending: { state, message }, ended }) =>
          memberUpdates({ ...execution, state, message, ended }),
        ),
        ...(lines.length > 0 ? [{ kind: 'LOG' as const, lines }] : []),
      ]
      const ended = suite.ended ?? given.now
      await writeEnds(transaction, [
        { execution: { ...suite, state: 'RUNNING' }, ending, ended, updates },
      ])
      return suite.id
    })
  }
}

const withFiles = ({ name, state, message, steps }: ImportedScenario): ImportedStep[] => {
  const files = steps.flatMap((step) => step.files)
  return files.length > 0 ? [{ name, state, message, durationMs: 0, files }] : []
}

const NOTHING = { steps: [], validationFailures: [], codeCoverage: [] }

/** A tool that failed without a bad scenario leaves out in its report why. */
const judgedBy = (
  exitCode: number | null,
  ending: ReturnType<typeof endingOf>,
): ReturnType<typeof endingOf> =>
  exitCode === null || exitCode === 0 || ending.state !== 'COMPLETED'
    ? ending
    : {
        state: 'ERROR',
        message: `The tool ended with ${exitCode}, and none of its results says why`,
        errorCode: 'REPORTED_ERROR',
      }

function suiteOf({ name, scenarios, environmentId, labels, coverage, ...given }: Import) {
  const { executedBy, requestId, now } = given
  const count = (state: FinalState) => scenarios.filter((each) => each.state === state).length
  const ran = scenarios.filter(({ state }) => state !== 'SKIPPED')
  const starts = ran.map(({ started }) => started.getTime())
  const ends = ran.map((each) => endOf(each).getTime())
  const unneeded = scenarios
    .filter(({ state }) => state === 'SKIPPED')
    .map(({ name: skipped, message }) => ({ name: skipped, reason: message || 'It was not run' }))
  const suite = {
    haltAtFailure: false,
    maxParallel: 1,
    scenarios: scenarios.length,
    lanes: [],
    ended: { COMPLETED: count('COMPLETED'), FAILED: count('FAILED'), ERROR: count('ERROR') },
    unneeded,
  }
  const execution: Execution = {
    ...{ id: uuidv7(), type: 'SUITE', contextId: name, contextName: name, state: 'RUNNING' },
    ...{ attempt: 0, updateCount: 1, message: null, errorCode: null, executedBy },
    ...{
      useCodeCoverage: coverage.codeCoverage.length > 0,
      open: false,
      callback: null,
      requestId,
      labels,
    },
    ...{ suiteId: null, position: null, detailsPruned: false, environmentId },
    ...{ revisions: [], revisionDigest: '', tries: [], isQuarantined: false, ...NOTHING },
    ...{ startedBy: 'IMPORT', againOf: null, againId: null, causeId: null },
    started: starts.length > 0 ? new Date(Math.min(...starts)) : now,
    ended: ends.length > 0 ? new Date(Math.max(...ends)) : now,
    suite,
  }
  return { ...execution, suite }
}

const memberOf = (
  { name, started }: ImportedScenario,
  suite: Execution,
  position: number,
): Execution => ({
  ...suite,
  ...{ id: uuidv7(), type: 'TEST', contextId: name, contextName: name, started, ended: null },
  ...{ suite: null, suiteId: suite.id, position },
})

async function begin(em: EntityManager, executions: readonly Execution[]): Promise<void> {
  await em.insertMany(
    ExecutionEntity,
    executions.map((each) => ({ ...each, ended: null, snapshot: null, credentials: null })),
  )
  await insertUpdates(em, executions.map(stateUpdate))
}

async function endingIn(em: EntityManager, execution: Execution, scenario: Ran): Promise<End> {
  for (const tried of scenario.tries) {
    const { state, message, started } = tried
    const verdict = verdictOf(tried, scenario.name, await stepsOf(em, execution.id, tried))
    const kept = { ...verdict, state, message, started, ended: endOf(tried) }
    await advance(em, execution, 0, [], kept)
  }
  const steps = await stepsOf(em, execution.id, scenario)
  const { state, message } = scenario
  const log = logOf(scenario, 'Import')
  return {
    execution,
    ending: {
      ...{ ...verdictOf(scenario, scenario.name, steps), state, message },
      codeCoverage: [],
    },
    ended: endOf(scenario),
    updates: log.length > 0 ? [{ kind: 'LOG', lines: log }] : [],
  }
}

const logOf = ({ log, started }: ImportedScenario, source: string): string[] =>
  (log === '' ? [] : log.split(/\r?\n/)).map((line) =>
    isLogLine(line) ? line : logLine(started, 'INFO', source, line),
  )

async function stepsOf(
  em: EntityManager,
  executionId: string,
  { started, steps }: { started: Date; steps: readonly ImportedStep[] },
): Promise<StepResult[]> {
  const found: StepResult[] = []
  let at = started.getTime()
  for (const [nth, { name, state, message, durationMs, files }] of steps.entries()) {
    const id = `step[${nth}]`
    const begun = new Date(at)
    at += durationMs
    const attachments = []
    for (const file of files) attachments.push(await insertAttachment(em, executionId, file))
    found.push({
      ...{ id, path: id, name, kind: 'imported', datasetRow: null, state, message },
      ...{ started: begun, ended: new Date(at), durationMs },
      ...(attachments.length > 0 && { attachments }),
    })
  }
  return found
}

/** Verdict of a result besides its state and message. */
function verdictOf(
  { state, message }: { state: FinalState; message: string },
  name: string,
  steps: StepResult[],
) {
  const failed = steps.find((step) => step.state === 'FAILED')
  const failure = {
    ...{ name: failed?.name ?? name, message, stepId: failed?.id ?? '', path: '$' },
    ...{ assert: 'test' as const, expectedValue: null, actualValue: null, datasetRow: null },
  }
  return {
    errorCode: state === 'ERROR' ? 'REPORTED_ERROR' : null,
    validationFailures: state === 'FAILED' ? [failure] : [],
    steps,
  }
}

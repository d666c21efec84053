import { type ComponentSession, openSession } from './component-session.ts'
import type { ComponentSource } from './coverage/compile-component.ts'
import { withDeadline } from './deadline.ts'
import { createMask } from './mask.ts'
import { RunError } from './run-error.ts'
import { createRunLog } from './run-log.ts'
import type { RunOutcome, RunUpdate } from './run-outcome.ts'
import { kindOf } from './run-step.ts'
import { createProgress } from './run-steps.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { DEFAULT_SCENARIO_TIMEOUT_MS, type Scenario } from './scenario.ts'
import { STEP_KINDS } from './step-kinds.ts'
import { storableText } from './storable.ts'

export type { CodeCoverage } from './coverage/line-coverage.ts'
export type { RunOutcome, RunUpdate, StepResult, ValidationFailure } from './run-outcome.ts'

/** One execution of one scenario: everything it needs, as it was when the execution was accepted. */
export interface ScenarioRun {
  executionId: string
  contextId: string
  name: string
  /** The component under test. */
  component: ComponentSource
  scenario: Scenario
  useCodeCoverage: boolean
  /** Of the host; the password is masked wherever it would show. */
  credentials?: { userId: string; password: string }
}

export interface RunOptions {
  /** Called in order, with steps and log lines that are masked. */
  onUpdate(update: RunUpdate): void
  /** Aborting it kills the component's process: the outcome is ERROR with CANCELLED. */
  signal: AbortSignal
  sandbox: Sandbox
}

/**
 * Runs a scenario to its end. Whatever the component does, the outcome says; the promise rejects only on a fault of
 * ours. No process of the run is left when it settles.
 */
export async function runScenario(run: ScenarioRun, options: RunOptions): Promise<RunOutcome> {
  const { onUpdate } = options
  const mask = createMask(run.credentials)
  const log = createRunLog(mask, (lines) => onUpdate({ kind: 'LOG', lines }))
  const progress = createProgress(run.scenario, { mask, log, onUpdate })
  const session = needsComponent(run.scenario)
    ? openSession(run.component, run.useCodeCoverage, options.sandbox, log)
    : null

  log.write('INFO', 'Execution', `${run.name} starts`)
  const fault = await faultOf(
    withDeadline(options.signal, timeLimit(run.scenario), 'The scenario', async (signal) => {
      await loadInTime(session, signal)
      return progress.run({ signal, component: session })
    }),
  ).finally(() => session?.stop())
  progress.skipRest()

  const { results: steps, failures: validationFailures } = progress
  const state = fault ? 'ERROR' : validationFailures.length > 0 ? 'FAILED' : 'COMPLETED'
  const message = fault ? storableText(mask.text(fault.message)) : summaryOf(validationFailures)
  log.write(
    state === 'COMPLETED' ? 'INFO' : 'ERROR',
    'Execution',
    `${run.name} ${state}${message && `: ${message}`}`,
  )
  log.flush()
  const coverage = run.useCodeCoverage ? session?.coverage() : null
  return {
    state,
    message,
    errorCode: fault?.code ?? null,
    steps,
    validationFailures,
    codeCoverage: coverage ? [coverage] : [],
    log: log.text(),
  }
}

const needsComponent = ({ steps }: Scenario) =>
  steps.some((step) => STEP_KINDS[kindOf(step)].needsComponent)

const timeLimit = ({ timeoutMs = DEFAULT_SCENARIO_TIMEOUT_MS }: Scenario) => timeoutMs

async function loadInTime(session: ComponentSession | null, signal: AbortSignal): Promise<void> {
  if (!session) return
  await withDeadline(signal, session.loadMs, 'Loading the component', (inTime) =>
    session.load(inTime),
  )
}

/** A `RunError` is how a run may end; anything else is ours and goes on. */
const faultOf = (work: Promise<RunError | null>): Promise<RunError | null> =>
  work.catch((error) => {
    if (error instanceof RunError) return error
    throw error
  })

const summaryOf = ([first, ...more]: { message: string }[]): string => {
  if (!first) return ''
  return more.length === 0
    ? first.message
    : `${more.length + 1} expectations were not met. ${first.message}`
}

import { Queue } from '../../platform/load/queue.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { ComponentSource } from '../coverage/compile-component.ts'
import { collectCoverage, type MeasuredCoverage } from '../coverage/line-coverage.ts'
import type { EvaluationProcesses } from '../evaluation/evaluation.ts'
import { isQuick, judgeStep } from '../expectations/judgement.ts'
import { listOfWalls } from '../sandbox/capabilities.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { contextOf, scopeOf, stubsOf } from '../steps/step-context.ts'
import { createComponents, digest } from './components.ts'
import { outcomeOf, type PlannedScenario, type Run, type RunContext } from './context.ts'
import { type HostCredentials, NO_ENVIRONMENT, type RunEnvironment } from './environment.ts'
import { createRunFiles, createRunFolder, type FileStore } from './folder.ts'
import { headlineOf } from './headline.ts'
import { Journal } from './journal.ts'
import {
  createCaptures,
  createRunCount,
  DEFAULT_RUN_LIMITS,
  type RunLimits,
  reasonOf,
} from './limits.ts'
import { createRunLog } from './log.ts'
import { createMask, sanitizeText } from './mask.ts'
import type { RunOutcome, RunUpdate } from './outcome.ts'
import { runBody } from './run-body.ts'
import { NO_TEARDOWN, type TeardownRule, tearDown } from './teardown.ts'

export type { CodeCoverage } from '../coverage/line-coverage.ts'
export type { RunOutcome, RunUpdate, StepResult, ValidationFailure } from './outcome.ts'

/** One execution of one scenario: everything it needs, as it was when the execution was accepted. */
export interface ScenarioRun extends PlannedScenario {
  executionId: string
  contextId: string
  /** User and access of the execution: components share a process with runs of the same alone. */
  caller: string
  useCodeCoverage: boolean
  /** By id: what `call` and `scenario` steps name. */
  components?: Readonly<Record<string, ComponentSource>>
  scenarios?: Readonly<Record<string, PlannedScenario>>
  environment?: RunEnvironment
  /** Credentials of the host; the password is masked wherever it would show. */
  credentials?: HostCredentials
  /** Captures of the setup of its suite, for `{{setup.name}}`. */
  setup?: Readonly<Record<string, unknown>>
}

export interface RunOptions {
  /** Called in order, with steps and log lines that are masked. */
  onUpdate(update: RunUpdate): void
  /** Aborting it ends the run, and kills its processes: the outcome is ERROR with CANCELLED. */
  signal: AbortSignal
  /** Says whether the teardown runs nevertheless. Without it nothing does. */
  teardown?: TeardownRule
  sandbox: Sandbox
  outbound: Outbound
  /** True if steps may start programs. */
  commandSteps: boolean
  evaluation: EvaluationProcesses
  /** As documented if absent. */
  limits?: Partial<RunLimits>
  /** Hears why the folder of the run could not be removed. */
  onFolderLeft?(reason: string): void
  /** Store of files that steps attach; absent, they are not kept. */
  files?: FileStore
}

/**
 * Runs a scenario to its end. Whatever its steps do, the outcome says; the promise rejects only on a fault of ours. No
 * process of the run is left when it settles, and no file unless `onFolderLeft` says so.
 */
export async function runScenario(run: ScenarioRun, options: RunOptions): Promise<RunOutcome> {
  const { onUpdate, sandbox, outbound, commandSteps, signal } = options
  const { teardown = NO_TEARDOWN, onFolderLeft = () => {} } = options
  const { useCodeCoverage, credentials = null, environment = NO_ENVIRONMENT } = run
  const evaluation = options.evaluation.ofExecution(run.executionId)
  const mask = createMask(credentials, Object.values(environment.secrets))
  const clean = (text: string) => sanitizeText(mask.text(text))
  const limits = { ...DEFAULT_RUN_LIMITS, ...options.limits }
  const count = createRunCount(limits)
  const log = createRunLog(mask, count, (lines) => onUpdate({ kind: 'LOG', lines }))
  const journal = new Journal(mask, log, count, onUpdate)
  const folder = createRunFolder()
  const coverage = collectCoverage(count.noteCoverage)
  const owner = digest([run.caller, environment, credentials])
  const resources = {
    environment,
    credentials,
    outbound,
    commandSteps,
    components: run.components ?? {},
    scenarios: run.scenarios ?? {},
    folder: folder.path,
    commandWalls: sandbox.commandWalls,
    files: createRunFiles(options.files ?? null, mask),
    evaluation,
    addCoverage(measured: readonly MeasuredCoverage[]) {
      if (!useCodeCoverage) return
      for (const each of measured)
        coverage.add({
          ...each,
          componentName: clean(each.componentName),
          sourceCode: clean(each.sourceCode),
          reportFolder: each.reportFolder && clean(each.reportFolder),
        })
    },
  }
  const shared: Run = {
    tearDown: (work) => tearDown(signal, teardown, work),
    log,
    mask,
    journal,
    openComponents: () =>
      createComponents({
        sandbox,
        log,
        evaluation,
        useCodeCoverage,
        owner,
        onCoverage: coverage.add,
      }),
    captures: createCaptures(limits.captured),
    requests: new Queue(limits.requestsAtOnce, { aborted: reasonOf }),
    judge: async (judgement, signal) =>
      isQuick(judgement)
        ? judgeStep(judgement)
        : evaluation.run('judge', judgement, options.evaluation.budget(), signal),
    contextOf: (step, context) => contextOf(step, context, resources),
  }
  const components = shared.openComponents()

  let captures: RunOutcome['captures'] = {}

  log.note('INFO', `${run.name} starts`)
  const { missing } = sandbox.capabilities
  if (missing.length > 0) log.note('WARN', `Code runs without: ${listOfWalls(missing)}`)
  let isClean = false
  const ended = await outcomeOf(() => {
    const scope = scopeOf(run, { env: variablesOf(environment), setup: run.setup ?? {} })
    captures = scope.capture
    return runBody({
      run: shared,
      signal: AbortSignal.any([signal, count.signal]),
      within: [],
      datasetRow: null,
      scope,
      planned: run,
      components,
      stubs: stubsOf(run),
    } satisfies RunContext)
  })
    .then((outcome) => {
      isClean = outcome.fault === null && !signal.aborted
      return outcome
    })
    .finally(async () => {
      const [left] = await Promise.all([folder.remove(), components.stop(isClean)])
      if (left !== null) onFolderLeft(left)
    })
  const { failures } = ended
  const ending = [count.signal, signal].find(({ aborted }) => aborted)
  const fault = ended.fault ?? (ending ? reasonOf(ending) : null)

  const state = fault ? 'ERROR' : failures.length > 0 ? 'FAILED' : 'COMPLETED'
  const reason = fault ? clean(fault.message) : ''
  const message = headlineOf({ fault, reason, failures, steps: journal.results() })
  log.note(
    state === 'COMPLETED' ? 'INFO' : 'ERROR',
    `${run.name} ${state}${message && `: ${message}`}`,
  )
  log.flush()
  return {
    name: clean(run.name),
    state,
    message,
    errorCode: fault?.code ?? null,
    steps: journal.results(),
    validationFailures: failures,
    codeCoverage: coverage.all(),
    log: log.text(),
    captures,
  }
}

const variablesOf = ({ baseUrl, variables, secrets }: RunEnvironment) => ({
  ...(baseUrl === null ? {} : { baseUrl }),
  ...variables,
  ...secrets,
})

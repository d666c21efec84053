import { Queue } from '../../platform/load/load.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { ComponentSource } from '../coverage/compile-component.ts'
import { collectCoverage, type MeasuredCoverage } from '../coverage/line-coverage.ts'
import type { Evaluation, EvaluationProcesses } from '../evaluation/evaluation.ts'
import { isQuick, judgeStep } from '../expectations/judgement.ts'
import { listOfWalls } from '../sandbox/capabilities.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { contextOf, type Resources, scopeOf, stubsOf } from '../steps/step-context.ts'
import { type Components, createComponents, digest } from './components.ts'
import { outcomeOf, type PlannedScenario, type Run } from './context.ts'
import { type HostCredentials, NO_ENVIRONMENT, type RunEnvironment } from './environment.ts'
import { createRunFiles, createRunFolder, type FileStore } from './folder.ts'
import { headlineOf } from './headline.ts'
import { Journal } from './journal.ts'
import {
  createCaptures,
  createRunCount,
  DEFAULT_RUN_LIMITS,
  type RunCount,
  type RunLimits,
  reasonOf,
} from './limits.ts'
import { createRunLog, type RunLog } from './log.ts'
import { createMask, type Mask, sanitizeText } from './mask.ts'
import type { Outcome, RunOutcome, RunUpdate } from './outcome.ts'
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
export const runScenario = async (run: ScenarioRun, options: RunOptions): Promise<RunOutcome> =>
  new RunningScenario(run, options).toEnd()

class RunningScenario {
  readonly #environment: RunEnvironment
  readonly #credentials: HostCredentials | null
  readonly #owner: string
  readonly #limits: RunLimits
  readonly #evaluation: Evaluation
  readonly #mask: Mask
  readonly #count: RunCount
  readonly #log: RunLog
  readonly #journal: Journal
  readonly #coverage: ReturnType<typeof collectCoverage>
  readonly #folder = createRunFolder()
  #captures: RunOutcome['captures'] = {}

  constructor(
    private readonly run: ScenarioRun,
    private readonly options: RunOptions,
  ) {
    const { caller, credentials = null, environment = NO_ENVIRONMENT } = run
    const { onUpdate } = options
    this.#environment = environment
    this.#credentials = credentials
    this.#owner = digest([caller, environment, credentials])
    this.#limits = { ...DEFAULT_RUN_LIMITS, ...options.limits }
    this.#evaluation = options.evaluation.ofExecution(run.executionId)
    this.#mask = createMask(credentials, Object.values(environment.secrets))
    this.#count = createRunCount(this.#limits)
    this.#log = createRunLog(this.#mask, this.#count, (lines) => onUpdate({ kind: 'LOG', lines }))
    this.#journal = new Journal(this.#mask, this.#log, this.#count, onUpdate)
    this.#coverage = collectCoverage(this.#count.noteCoverage)
  }

  async toEnd(): Promise<RunOutcome> {
    const { sandbox, signal, onFolderLeft = () => {} } = this.options
    const components = this.#openComponents()
    this.#log.note('INFO', `${this.run.name} starts`)
    const { missing } = sandbox.capabilities
    if (missing.length > 0) this.#log.note('WARN', `Code runs without: ${listOfWalls(missing)}`)
    let isClean = false
    let ended: Outcome
    try {
      ended = await outcomeOf(() => this.#runBody(components))
      isClean = ended.fault === null && !signal.aborted
    } finally {
      const [left] = await Promise.all([this.#folder.remove(), components.stop(isClean)])
      if (left !== null) onFolderLeft(left)
    }
    return this.#outcome(ended)
  }

  #runBody(components: Components): Promise<Outcome> {
    const { run } = this
    const env = variablesOf(this.#environment)
    const scope = scopeOf(run, { env, setup: run.setup ?? {} })
    this.#captures = scope.capture
    return runBody({
      run: this.#shared(),
      signal: AbortSignal.any([this.options.signal, this.#count.signal]),
      within: [],
      datasetRow: null,
      scope,
      planned: run,
      components,
      stubs: stubsOf(run),
    })
  }

  #shared(): Run {
    const { signal, teardown = NO_TEARDOWN, evaluation } = this.options
    const resources = this.#resources()
    return {
      tearDown: (work) => tearDown(signal, teardown, work),
      log: this.#log,
      mask: this.#mask,
      journal: this.#journal,
      openComponents: () => this.#openComponents(),
      captures: createCaptures(this.#limits.captured),
      requests: new Queue(this.#limits.requestsAtOnce, { aborted: reasonOf }),
      judge: async (judgement, signal) =>
        isQuick(judgement)
          ? judgeStep(judgement)
          : this.#evaluation.run('judge', judgement, evaluation.budget(), signal),
      contextOf: (step, context) => contextOf(step, context, resources),
    }
  }

  #resources(): Resources {
    const { run } = this
    const { outbound, commandSteps, sandbox, files = null } = this.options
    return {
      environment: this.#environment,
      credentials: this.#credentials,
      outbound,
      commandSteps,
      components: run.components ?? {},
      scenarios: run.scenarios ?? {},
      folder: this.#folder.path,
      commandWalls: sandbox.commandWalls,
      files: createRunFiles(files, this.#mask),
      evaluation: this.#evaluation,
      addCoverage: (measured) => this.#addCoverage(measured),
    }
  }

  #openComponents(): Components {
    return createComponents({
      sandbox: this.options.sandbox,
      log: this.#log,
      evaluation: this.#evaluation,
      useCodeCoverage: this.run.useCodeCoverage,
      owner: this.#owner,
      onCoverage: this.#coverage.add,
    })
  }

  #addCoverage(measured: readonly MeasuredCoverage[]): void {
    if (!this.run.useCodeCoverage) return
    for (const each of measured)
      this.#coverage.add({
        ...each,
        componentName: this.#clean(each.componentName),
        sourceCode: this.#clean(each.sourceCode),
        reportFolder: each.reportFolder && this.#clean(each.reportFolder),
      })
  }

  #clean(text: string): string {
    return sanitizeText(this.#mask.text(text))
  }

  #outcome({ failures, fault: thrown }: Outcome): RunOutcome {
    const { name } = this.run
    const ending = [this.#count.signal, this.options.signal].find(({ aborted }) => aborted)
    const fault = thrown ?? (ending ? reasonOf(ending) : null)
    const state = fault ? 'ERROR' : failures.length > 0 ? 'FAILED' : 'COMPLETED'
    const reason = fault ? this.#clean(fault.message) : ''
    const message = headlineOf({ fault, reason, failures, steps: this.#journal.results() })
    const level = state === 'COMPLETED' ? 'INFO' : 'ERROR'
    this.#log.note(level, `${name} ${state}${message && `: ${message}`}`)
    this.#log.flush()
    return {
      name: this.#clean(name),
      state,
      message,
      errorCode: fault?.code ?? null,
      steps: this.#journal.results(),
      validationFailures: failures,
      codeCoverage: this.#coverage.all(),
      log: this.#log.text(),
      captures: this.#captures,
    }
  }
}

const variablesOf = ({ baseUrl, variables, secrets }: RunEnvironment) => ({
  ...(baseUrl === null ? {} : { baseUrl }),
  ...variables,
  ...secrets,
})

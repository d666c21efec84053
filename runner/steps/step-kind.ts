import type { SchemaObject } from 'ajv'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { MeasuredCoverage } from '../coverage/line-coverage.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { Expectation } from '../expectations/expectation.ts'
import type { ReportedCase } from '../reports/reported-case.ts'
import type { HostCredentials, RunEnvironment, RunnerName } from '../run/environment.ts'
import type { Exchange } from '../run/evidence.ts'
import type { Outcome } from '../run/outcome.ts'
import type { LogLevel } from '../sandbox/child-message.ts'
import type { ProgramWalls } from '../sandbox/walls.ts'
import type { Step } from '../scenario/step.ts'

/** Context of a step while it runs. */
export interface StepContext {
  /** Aborted on timeout and on cancel; its reason is a `RunError`. */
  signal: AbortSignal
  environment: RunEnvironment
  credentials: HostCredentials | null
  outbound: Outbound
  log(level: LogLevel, text: string): void
  /** Keeps a request and its response, so that a failure explains itself. */
  exchanged(exchange: Exchange): void
  /** Calls a function of a component of the repository (by id; null is the one under test). @throws RunError */
  call(component: string | null, name: string, args: unknown[]): Promise<unknown>
  /** A folder of the execution, empty at first and gone at its end. */
  folder(): Promise<string>
  /** Walls between a program and the machine. @throws RunError SANDBOX_UNAVAILABLE */
  commandWalls(): ProgramWalls
  /** Reads what programs of users wrote. */
  evaluation: Evaluation
  /** Runs steps inside of this one, at most `maxParallel` at a time. */
  runSteps(steps: readonly Step[], maxParallel: number): Promise<Outcome>
  /** Runs another scenario inside of this step. */
  runScenario(
    id: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Outcome & { captured: Readonly<Record<string, unknown>> }>
  /** Adds results that a tool reported, as steps inside of this one. */
  report(results: readonly ReportedCase[]): Promise<Outcome>
  addCoverage(coverage: readonly MeasuredCoverage[]): void
  /** Keeps the files below a folder that patterns name. What is not kept is a line of the log. */
  attach(folder: string, patterns: readonly string[]): Promise<void>
}

/** Output of a step: the result for expectations and captures, and outcomes of steps inside of it. */
export interface StepOutput {
  result: unknown
  nested?: Outcome
}

/** Holds unless the step itself is about the same. */
export interface ImpliedExpectation extends Expectation {
  /** Asserts that are about the same, whatever their path. */
  saidBy?: readonly Expectation['assert'][]
}

/** One kind of step: how its settings look, and how it runs. */
export interface StepKind<Settings = never> {
  /** Schema of the settings with their templates filled in. */
  schema: SchemaObject
  /** Applied where the step names no `timeoutMs`; null leaves it to the scenario's limit. */
  defaultTimeoutMs: number | null
  /** Runner that the environment must have switched on; null where it cannot switch it off. */
  runner: RunnerName | null
  /** Expectations that hold for every step that says nothing about the same thing. */
  implied?: readonly ImpliedExpectation[]
  /** The steps inside of it; their templates are filled in when they run. */
  steps?(settings: Settings): readonly Step[]
  /** Ids of what it names in the repository. */
  references?(settings: Settings): { component?: string; scenario?: string }
  /** True if the component under test has to be loaded for it. */
  needsComponent?(settings: Settings): boolean
  /** @throws RunError for everything that makes the step ERROR */
  run(settings: Settings, context: StepContext): Promise<StepOutput>
}

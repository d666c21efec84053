import type { CoverageReport } from '../../formats/coverage/collect-lines.ts'
import type { ReportOptions } from '../../formats/junit/reported-test.ts'
import type { Requests } from '../../formats/requests/read-requests.ts'
import type { Report } from '../../formats/results/scenario.ts'
import type {
  ComponentSource,
  Transformation,
  TransformedComponent,
} from '../coverage/transform-component.ts'
import type { Expectation, Unmet } from '../expectations/expectation.ts'
import type { ReportedCase } from '../reports/reported-case.ts'
import type { ComponentExports } from '../scenario/component-exports.ts'
import type { Scenario } from '../scenario/step.ts'
import type { ReportFormat } from '../steps/report-file.ts'

/** Tasks of processes of their own, by name: users can make them take any time and memory. */
export interface EvaluationTasks {
  /** @throws RunError INVALID_STEP, NOTHING_CAPTURED */
  judge(judgement: Judgement): Judged
  /** @throws AppError BAD_USER_INPUT, RunError INVALID_STEP */
  evaluate(given: { expectation: unknown; actual: unknown; ignoreCase: boolean }): Unmet | null
  /** Values that JSONPaths select, by name; those that select nothing are left out. @throws RunError INVALID_STEP */
  pick(given: { paths: Readonly<Record<string, string>>; value: unknown }): Record<string, unknown>
  /** @throws AppError BAD_USER_INPUT that names the line */
  readScenario(text: string): Promise<unknown>
  scenarioFaults(scenario: unknown): string[]
  /** Warnings about a scenario without faults. */
  scenarioWarnings(scenario: Scenario): string[]
  /** @throws RunError SYNTAX_ERROR that names the line */
  transform(transformation: Transformation): Promise<TransformedComponent>
  /** @throws Error of the parser */
  exportsOf(component: ComponentSource): Promise<ComponentExports>
  /** @throws Error unless the text is a report of the format */
  readReport(report: WrittenReport): Promise<ReadReport>
  /** Reads a report of tests of any format. @throws Error that names the fault */
  readResults(text: string): Promise<Report>
  /** @throws AppError BAD_USER_INPUT */
  readRequests(text: string): Promise<Requests>
}

/** Input of the judgement of a step: plain data, as it may be done in another process. */
export interface Judgement {
  /** With their templates filled in. */
  expectations: readonly Expectation[]
  /** The same with their templates; absent where they have none. */
  given?: readonly unknown[]
  result: unknown
  durationMs?: number
  ignoreCase?: boolean
  /** Texts that no message may show, see `maskOf`. */
  masked?: readonly string[]
  /** Name → JSONPath of a captured value; captured if all expectations hold. */
  captures?: Readonly<Record<string, string>>
}

export interface Judged {
  unmet: Unmet[]
  captured: Record<string, unknown>
}

export interface WrittenReport extends ReportOptions {
  format: ReportFormat
  text: string
}

export interface ReadReport {
  cases: ReportedCase[]
  /** Contradictions within it. */
  warnings: string[]
  coverage: CoverageReport | null
}

import type { Expectation } from '../expectations/expectation.ts'

/** One step of a scenario: the fields of all kinds, and the settings of exactly one kind under its name. */
export interface Step {
  id: string
  name?: string
  /** Not met: the step is SKIPPED. */
  if?: Condition
  /** Number of further tries of a step that is FAILED or ERROR. */
  retries?: { count: number; delayMs?: number }
  /** For each try. */
  timeoutMs?: number
  /** Its failure or error is shown with the step and changes nothing else. */
  optional?: boolean
  /** COMPLETED when it fails, FAILED when it does not. */
  negative?: boolean
  /** Name → JSONPath into the result. */
  capture?: Readonly<Record<string, string>>
  expect?: Expectation[]
  [kind: string]: unknown
}

/** A template whose value is neither false, null, 0 nor empty text; or an expectation about a given value. */
export type Condition = boolean | string | (Expectation & { actual: unknown })

/** A function of a component whose calls are answered without running it. */
export interface Stub {
  /** Id; the component under test when absent. */
  component?: string
  function: string
  /** Answers only calls with just these arguments. */
  args?: unknown[]
  returns?: unknown
  /** The message of what it throws instead. */
  throws?: string
}

/** Scenario of a test case. */
export interface Scenario {
  /** For `{{var.name}}`. */
  variables?: Readonly<Record<string, unknown>>
  /** The steps run once for each row, `{{row.name}}` being its values. */
  dataset?: { rows: Readonly<Record<string, unknown>>[]; maxParallel?: number }
  /** Once, before all rows. */
  setup?: Step[]
  steps: Step[]
  /** Once, after all rows, however they ended. */
  teardown?: Step[]
  stubs?: Stub[]
  /** True if the first step (or row) that is FAILED ends the scenario. A step that is ERROR always ends its row. */
  haltAtFailure?: boolean
  /** Default 600 000. The teardown has a time of its own. */
  timeoutMs?: number
  /** Expectations take upper and lower case for the same. */
  caseInsensitiveCompare?: boolean
}

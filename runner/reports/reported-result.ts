import type { CodeCoverage } from '../coverage/line-coverage.ts'
import type { StepResult, ValidationFailure } from '../run/outcome.ts'

/** A finished execution with its members, as a report needs it. Times of stored steps may still be text. */
export interface ReportedResult {
  id: string
  type: 'TEST' | 'SUITE'
  contextId: string
  contextName: string
  state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR'
  started: Date
  ended: Date | null
  message: string | null
  errorCode?: string | null
  executedBy: string
  steps: ReportedStep[]
  validationFailures: ValidationFailure[]
  codeCoverage: CodeCoverage[]
  /** The members of a suite, in its order. */
  testCaseResults?: ReportedResult[]
  /** The members that never began. */
  skipped?: readonly { name: string; reason: string }[]
  /** Tries of a scenario before the last one. */
  tries?: readonly ReportedTry[]
  isQuarantined?: boolean
  labels?: Readonly<Record<string, string>>
  environmentId?: string | null
  /** The same for executions that ran the same. */
  revisionDigest?: string
  /** The end of its log, and where its files lie. */
  systemOut?: string
  /** Paths of its files. */
  files?: readonly string[]
}

export interface ReportedTry {
  state: 'COMPLETED' | 'FAILED' | 'ERROR'
  message: string
  errorCode: string | null
  validationFailures: ValidationFailure[]
}

export type ReportedStep = Omit<StepResult, 'started' | 'ended'> & {
  started: Date | string
  ended: Date | string | null
}

/** A step with those inside of it. */
export interface StepTree {
  step: ReportedStep
  inner: StepTree[]
}

/** Steps as they stand inside of each other: rows hold their steps, steps those that they run. */
export function stepTree(steps: readonly ReportedStep[]): StepTree[] {
  const roots: StepTree[] = []
  const byPath = new Map<string, StepTree>()
  for (const step of steps) {
    const { path = step.id } = step
    const tree = { step, inner: [] }
    const end = path.lastIndexOf('/')
    const around = end === -1 ? undefined : byPath.get(path.slice(0, end))
    byPath.set(path, tree)
    if (around) around.inner.push(tree)
    else roots.push(tree)
  }
  return roots
}

/** Duration in ms; null while it runs. */
export const durationOf = ({ started, ended }: ReportedResult): number | null =>
  ended === null ? null : ended.getTime() - started.getTime()

import type { RunError } from './error.ts'
import type { StepResult, ValidationFailure } from './outcome.ts'

interface Ended {
  fault: Pick<RunError, 'code'> | null
  /** Message of the fault, masked. */
  reason: string
  failures: readonly ValidationFailure[]
  /** In the order in which they began. */
  steps: readonly StepResult[]
}

/** Message of an execution: its first cause. A fault behind expectations that were not met stands behind them. */
export function headlineOf({ fault, reason, failures, steps }: Ended): string {
  if (!fault) return summaryOf(failures)
  const [first] = failures
  if (!first || !isBefore(first, fault, reason, steps)) return reason
  return `${summaryOf(failures)}. Then: ${reason}`
}

/** Faults that no step has, such as a cancel, are the cause themselves. */
function isBefore(
  { stepId, datasetRow }: ValidationFailure,
  { code }: Pick<RunError, 'code'>,
  reason: string,
  steps: readonly StepResult[],
): boolean {
  const inner = new Set(steps.map(({ id, path = id }) => path.replace(/\/?[^/]*$/, '')))
  const failed = steps.findIndex((step) => step.id === stepId && step.datasetRow === datasetRow)
  const broken = steps.findIndex(
    ({ id, path = id, errorCode, message }) =>
      errorCode === code && message === reason && !inner.has(path),
  )
  return failed >= 0 && failed < broken
}

const summaryOf = ([first, ...more]: readonly { message: string }[]): string => {
  if (!first) return ''
  return more.length === 0
    ? first.message
    : `${more.length + 1} expectations were not met. ${first.message}`
}

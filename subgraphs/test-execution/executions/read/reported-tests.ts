import type { StepResult, ValidationFailure } from '../../../../runner/run/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
import type { FinalState } from '../execution.ts'

/** Mark between the id of an execution and the number of a test in the id of the test's own result. */
const MARK = '~'

/** The execution that an id leads to: its own, or the one that reported the test. */
export const reporterOf = (id: string): string => id.split(MARK, 1)[0] ?? ''

export const isReported = ({ id }: Pick<Execution, 'id'>): boolean => id.includes(MARK)

/**
 * The results of the tests that tools reported while a scenario ran, such as in JUnit XML. Each follows from its step and
 * is a whole result of type TEST; its context is the name of the test. One that was skipped has none.
 */
export function* reportedTests(execution: Execution): Generator<Execution> {
  let at = -1
  for (const step of execution.steps) {
    if (step.kind !== 'test') continue
    at++
    const { state } = step
    if (state !== 'SKIPPED' && state !== 'RUNNING') yield resultOf(step, at, state, execution)
  }
}

function resultOf(
  step: StepResult,
  at: number,
  state: FinalState,
  execution: Execution,
): Execution {
  const message = step.message ?? ''
  const started = new Date(step.started) // stored times are text
  return {
    ...execution,
    id: `${execution.id}${MARK}${at}`,
    type: 'TEST',
    contextId: step.name,
    contextName: step.name,
    state,
    updateCount: 0,
    started,
    ended: new Date(step.ended ?? step.started),
    message,
    useCodeCoverage: false,
    errorCode: state === 'ERROR' ? 'REPORTED_ERROR' : null,
    callback: null,
    suiteId: null,
    position: null,
    // The execution as a whole has one.
    causeId: null,
    steps: [],
    validationFailures: state === 'FAILED' ? [failureOf(step, message)] : [],
    codeCoverage: [],
    tries: (step.tries ?? []).map((tried) => {
      const began = tried.started ? new Date(tried.started) : started
      return {
        ...{ state: tried.state, message: tried.message, started: began, steps: [] },
        ended: new Date(began.getTime() + tried.durationMs),
        ...{ errorCode: tried.state === 'ERROR' ? 'REPORTED_ERROR' : null, validationFailures: [] },
      }
    }),
  }
}

const failureOf = (
  { id, name, datasetRow = null }: StepResult,
  message: string,
): ValidationFailure => ({
  ...{ name, message, stepId: id, path: '$', assert: 'test' },
  ...{ expectedValue: null, actualValue: null, datasetRow },
})

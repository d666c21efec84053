import { select } from '../expectations/expectation.ts'
import { judgeStep } from '../expectations/judgement.ts'
import { RunError } from '../run/error.ts'
import {
  readScenario,
  scenarioFaults,
  scenarioWarnings,
  validateExpectation,
} from '../scenario/scenario.ts'
import type { EvaluationTasks } from './tasks.ts'

/** For the process: nothing else imports it. */
export const EVALUATION_TASKS: EvaluationTasks = {
  judge: judgeStep,
  evaluate({ expectation, actual: result, ignoreCase }) {
    const expectations = [validateExpectation(expectation)]
    return judgeStep({ expectations, result, ignoreCase }).unmet[0] ?? null
  },
  pick: ({ paths, value }) =>
    Object.fromEntries(
      Object.entries(paths).flatMap(([name, path]) => {
        const { actual, isThere } = selected(name, path, value)
        return isThere ? [[name, actual]] : []
      }),
    ),
  readScenario,
  scenarioFaults,
  scenarioWarnings,
  // The parsers take their time and memory to load.
  transform: async (transformation) =>
    (await import('../coverage/transform-component.ts')).transformComponent(transformation),
  exportsOf: async (component) =>
    (await import('../scenario/component-exports.ts')).exportsOf(component),
  readRequests: async (text) =>
    (await import('../../formats/requests/read-requests.ts')).readRequests(text),
  readResults: async (text) =>
    (await import('../../formats/results/result-formats.ts')).readResults(text),
  readReport: async (report) => (await import('./read-report.ts')).readReport(report),
}

/** @throws RunError INVALID_STEP for a malformed path, EXPECTATION_TOO_SLOW */
function selected(name: string, path: string, value: unknown): ReturnType<typeof select> {
  try {
    return select(path, value)
  } catch (error) {
    if (error instanceof RunError || !(error instanceof Error)) throw error
    throw new RunError('INVALID_STEP', `${name} is no JSONPath: ${error.message}`)
  }
}

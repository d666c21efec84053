import { judgeStep } from '../expectations/judgement.ts'
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
  readScenario,
  scenarioFaults,
  scenarioWarnings,
  // The parsers take their time and memory to load.
  transform: async (transformation) =>
    (await import('../coverage/transform-component.ts')).transformComponent(transformation),
  exportsOf: async (component) =>
    (await import('../scenario/component-exports.ts')).exportsOf(component),
  readReport: async (report) => (await import('./read-report.ts')).readReport(report),
}

import { readJunit as readReport } from '../junit/junit.ts'
import type { ReportedTest, ReportOptions } from '../junit/reported-test.ts'
import { durationIn, type Report, type Scenario } from './scenario.ts'

/** JUnit XML: each test is a scenario. @throws Error */
export function readJunit(text: string, options?: ReportOptions): Report {
  const { tests, warnings } = readReport(text, options)
  return { scenarios: tests.map(scenarioOf), warnings }
}

function scenarioOf({ title, files, tries, ...test }: ReportedTest): Scenario {
  const durationMs = durationIn(test.durationMs)
  const { state, message } = test
  const named = [...new Set(files)].map((path) => ({ name: path, path }))
  const step = { name: title, state, message, durationMs, files: named }
  return {
    ...test,
    durationMs,
    steps: named.length > 0 ? [step] : [],
    tries: tries.map((each) => ({ ...each, durationMs: durationIn(each.durationMs), steps: [] })),
  }
}

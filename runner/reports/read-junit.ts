import {
  MAX_IMPORT_DURATION_MS,
  MAX_TEST_LOG,
  MAX_TEST_MESSAGE,
} from '../../formats/import-limits.ts'
import { readJunit as readReport } from '../../formats/junit/junit.ts'
import type { ReportedTry, ReportOptions } from '../../formats/junit/reported-test.ts'
import type { ReportedCase } from './reported-case.ts'

const msOf = (given: number): number | null => {
  const ms = Math.round(given)
  return ms >= 0 && ms <= MAX_IMPORT_DURATION_MS ? ms : null
}

const tryOf = ({ message, durationMs, ...tried }: ReportedTry): ReportedTry => ({
  ...{ ...tried, message: message.slice(0, MAX_TEST_MESSAGE), durationMs: msOf(durationMs) ?? 0 },
})

/** The tests in JUnit XML as an import has them, and what is odd about it. @throws Error unless the text is one */
export function readJunit(
  text: string,
  options?: ReportOptions,
): { cases: ReportedCase[]; warnings: string[] } {
  const { tests, warnings } = readReport(text, options)
  const cases = tests.map(({ name, state, message, started, durationMs, log, files, tries }) => ({
    ...{ name, state, message: message.slice(0, MAX_TEST_MESSAGE), started },
    ...{ durationMs: msOf(durationMs), log: log.slice(-MAX_TEST_LOG), files },
    tries: tries.map(tryOf),
  }))
  return { cases, warnings }
}

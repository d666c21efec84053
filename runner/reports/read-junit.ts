import { readJunit as readReport } from '../../formats/junit/junit.ts'
import type { ReportedTry } from '../../formats/junit/reported-test.ts'
import type { ReportedCase } from './reported-case.ts'

/** Characters of a message that are kept. */
const MESSAGE_LENGTH = 2_000
/** Characters of what a test wrote that are kept, from the end. */
const LOG_LENGTH = 65_536
/** Longest duration of a result; some tools write a point in time instead. */
const MAX_DURATION_MS = 2 ** 31 - 1

const msOf = (given: number): number | null => {
  const ms = Math.round(given)
  return ms >= 0 && ms <= MAX_DURATION_MS ? ms : null
}

const tryOf = ({ message, durationMs, ...tried }: ReportedTry): ReportedTry => ({
  ...{ ...tried, message: message.slice(0, MESSAGE_LENGTH), durationMs: msOf(durationMs) ?? 0 },
})

/** The tests in JUnit XML, and what is odd about it. @throws Error unless the text is one */
export function readJunit(text: string): { cases: ReportedCase[]; warnings: string[] } {
  const { tests, warnings } = readReport(text)
  const cases = tests.map(({ name, state, message, durationMs, log, files, tries }) => {
    return {
      ...{ name, state, message: message.slice(0, MESSAGE_LENGTH) },
      durationMs: msOf(durationMs),
      ...{ log: log.slice(-LOG_LENGTH), files },
      ...(tries.length > 0 && { tries: tries.map(tryOf) }),
    }
  })
  return { cases, warnings }
}

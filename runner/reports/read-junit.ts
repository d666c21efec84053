import { readJunit as readReport } from '../../formats/junit/junit.ts'
import type { ReportedCase } from './reported-case.ts'

/** Characters of a message that are kept. */
const MESSAGE_LENGTH = 2_000
/** Characters of what a test wrote that are kept, from the end. */
const LOG_LENGTH = 65_536
/** What a result can carry; some tools write a point in time instead. */
const MAX_DURATION_MS = 2 ** 31 - 1

/** The tests in JUnit XML, and what is odd about it. @throws Error unless the text is one */
export function readJunit(text: string): { cases: ReportedCase[]; warnings: string[] } {
  const { tests, warnings } = readReport(text)
  const cases = tests.map(({ name, state, message, durationMs, log, files }) => {
    const ms = Math.round(durationMs)
    return {
      ...{ name, state, message: message.slice(0, MESSAGE_LENGTH) },
      durationMs: ms >= 0 && ms <= MAX_DURATION_MS ? ms : null,
      ...{ log: log.slice(-LOG_LENGTH), files },
    }
  })
  return { cases, warnings }
}

import { junitTests } from '../../../../schema/junit.ts'
import type { ReportedCase } from './reported-case.ts'

/** Characters of a message that are kept. */
const MESSAGE_LENGTH = 2_000
/** What a result can carry; some tools write a point in time instead. */
const MAX_DURATION_MS = 2 ** 31 - 1

/** The tests in JUnit XML. @throws Error unless the text is one */
export const readJunit = (text: string): ReportedCase[] =>
  junitTests(text).map(({ name, state, message, seconds }) => {
    const ms = Math.round(seconds * 1_000)
    return {
      name,
      state,
      durationMs: ms >= 0 && ms <= MAX_DURATION_MS ? ms : null,
      message: message.slice(0, MESSAGE_LENGTH),
    }
  })

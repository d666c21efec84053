import { readCreatedAt } from '../../ingestion/created-at.ts'

/** A year or a date without hyphens. Read as epoch seconds, it would be a time in 1970. */
const SHORT_NUMBER = /^[+-]?\d{1,8}(\.\d+)?$/

/** For error messages. */
export const TIME_EXPECTED =
  'times are ISO 8601 dates or times, such as 2026-11-20 or 2026-11-20T12:00:00Z, or epoch seconds or milliseconds of at least 9 digits'

/** Reads a time in a query: what events may have as their time, but for short numbers. */
export const readTime = (text: string): Date | undefined =>
  SHORT_NUMBER.test(text.trim()) ? undefined : readCreatedAt(text)

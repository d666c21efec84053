import { parseTime } from '../../formats/parse-time.ts'
import { readRelative } from './relative-time.ts'

/** A year or a date without hyphens, which read as epoch seconds would be a time in 1970, and a month, which is no time. */
const SHORT = /^([+-]?\d{1,8}(\.\d+)?(e[+-]?\d+)?|\d{4}-\d\d)$/i

/** For error messages. */
export const TIME_EXPECTED =
  'times are ISO 8601 dates or times, such as 2026-11-20 or 2026-11-20T12:00:00Z, relative to now, such as now-15m, or epoch seconds or milliseconds of at least 9 digits'

/** Reads a time in a query: what events may have as their time, but for short numbers and months, and times relative to now. */
export const readTime = (text: string): Date | undefined =>
  readRelative(text)?.from ?? (SHORT.test(text.trim()) ? undefined : parseTime(text))

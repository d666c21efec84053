import { badInput } from '../../../../formats/errors.ts'

/** A blank is a plus sign that a client has not encoded in its address. */
const ISO_8601 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(Z|[ +-]\d{2}:?\d{2})$/

/**
 * A point in time as ISO 8601 in UTC with milliseconds, out of ISO 8601 with any offset, with or without a colon in it.
 * @throws AppError BAD_USER_INPUT that begins with `at`
 */
export function instantOf(text: string, at: string): string {
  const [, local, offset = ''] = ISO_8601.exec(text) ?? []
  const time = new Date(`${local}${offset.replace(' ', '+').replace(/(\d{2}):?(\d{2})$/, '$1:$2')}`)
  const instant = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  if (isInstant(instant)) return instant
  throw badInput(`${at}: expected a time such as 2026-01-31T08:15:00.250+0000`)
}

/** True if `instantOf` makes such a text: a time that JavaScript and the database write alike. */
export const isInstant = (text: string): boolean =>
  /^(?!0000)\d{4}-/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text

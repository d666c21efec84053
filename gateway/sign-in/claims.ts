import { isRecord } from './is-record.ts'

/** Claims that list names in one text, with blanks between them (RFC 8693, section 4.2; Entra ID calls it `scp`). */
const LISTS_IN_TEXT: ReadonlySet<string> = new Set(['scope', 'scp'])

/** The value at a path with dots, or under the very name; undefined for nothing. */
export const claimAt = (claims: object, path: string): unknown =>
  [[path], path.split('.')].map((keys) => keys.reduce<unknown>(ownValue, claims)).find(isThere)

const ownValue = (from: unknown, key: string): unknown =>
  isRecord(from) && Object.hasOwn(from, key) ? from[key] : undefined

const isThere = (value: unknown): boolean => value !== undefined

/** The names that a claim lists; a text is one name, as it may hold blanks and commas. Null where there are none. */
export function namesAt(claims: object, path: string): string[] | null {
  const found = claimAt(claims, path)
  if (typeof found === 'string')
    return LISTS_IN_TEXT.has(lastKeyOf(path)) ? found.split(' ') : [found]
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : null
}

const lastKeyOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** True where a version before this one read more than one name: that version split texts at blanks and commas. */
export const wasSplit = (claims: object, path: string): boolean => {
  const found = claimAt(claims, path)
  return (
    typeof found === 'string' &&
    (LISTS_IN_TEXT.has(lastKeyOf(path)) ? found.includes(',') : /[ ,]/.test(found))
  )
}

/** Longer names cannot be keys of an index. The standard has 255 for a subject (OpenID Connect Core 1.0, section 2). */
const NAME_LENGTH = 255

/** Text that names a user: without characters that have no place in a line of a log or in the database. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= NAME_LENGTH &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value)

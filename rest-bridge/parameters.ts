import { AppError } from '../formats/errors.ts'
import type { JsonSchema } from './documents/json-schema.ts'
import type { Address, RestRequest, Route } from './route.ts'

/** The variables of the operation that a request asks for. @throws AppError BAD_USER_INPUT with the fault */
export function variablesOf(route: Route, request: RestRequest): Record<string, unknown> {
  checkQuery(route, request)
  return route.variables(request)
}

/**
 * Judges the query as a whole. Beside a value of the same parameter, empty ones count as absent.
 * @throws AppError BAD_USER_INPUT for a parameter of one value that is given different ones, and for one that is unknown
 *   where the route minds
 */
export function checkQuery({ parameters, strictQuery }: Route, { repeated }: Address): void {
  const known = parameters.filter((each) => each.in === 'query')
  for (const [name, values] of Object.entries(repeated)) {
    const parameter = known.find((each) => each.name === name)
    if (!parameter) {
      if (strictQuery)
        throw unknownParameter(
          name,
          known.map((each) => each.name),
        )
    } else if (parameter.schema.type !== 'array') {
      const filled = values.filter((value) => value !== '')
      if (new Set(filled.map((value) => plain(value, parameter.schema))).size > 1)
        throw badQuery(name, `one value, not ${filled.length} that differ`)
    }
  }
}

/** One text for all spellings of a value, as the parsers take them. */
function plain(text: string, { type, enum: words }: JsonSchema): string {
  if (type === 'integer') return text.trim().replace(/^0+(?=\d)/, '')
  return type === 'boolean' || words ? text.toLowerCase() : text
}

const unknownParameter = (name: string, known: readonly string[]) =>
  new AppError(
    'BAD_USER_INPUT',
    `Query parameter ${JSON.stringify(name.slice(0, 100))} is unknown; expected ${known.join(', ')}`,
  )

/** @param expected in words */
export const badQuery = (name: string, expected: string): AppError =>
  new AppError('BAD_USER_INPUT', `Query parameter ${name}: expected ${expected}`)

/** @throws AppError BAD_USER_INPUT for anything but true and false, in whatever case */
export function parseBoolean(name: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const value = text.toLowerCase()
  if (value === 'true' || value === 'false') return value === 'true'
  throw badQuery(name, 'true or false')
}

/** The first word stands for an absent parameter. @throws AppError BAD_USER_INPUT for none of the words, in whatever case */
export function parseWord<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (text === undefined) return words[0]
  const word = words.find((each) => each === text.toLowerCase())
  if (word) return word
  throw badQuery(name, words.join(' or '))
}

/** @throws AppError BAD_USER_INPUT where it is missing or empty */
export function requireQuery({ query }: RestRequest, name: string): string {
  const text = query[name]
  if (!text) throw new AppError('BAD_USER_INPUT', `Query parameter ${name}: it is missing`)
  return text
}

/** A body that has to be one object. @throws AppError BAD_USER_INPUT */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('BAD_USER_INPUT', 'The request body: expected one object')
  return body as Record<string, unknown>
}

/** ISO 8601, also with the offset as the answers write it. @throws AppError BAD_USER_INPUT */
export function parseInstant(name: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const instant = /^\d{4}-\d\d-\d\d/.test(text) ? instantOf(text) : undefined
  if (instant !== undefined) return instant
  throw badQuery(name, 'a time such as 2026-01-31T08:15:00Z')
}

/** ISO 8601 in the form of the graph, which has the years 0001 to 9999. @returns undefined for any other time, and for none */
export function instantOf(text: string): string | undefined {
  // A plus sign that is not encoded arrives as a blank.
  const iso = text.replace(/(T\S+) (?=\d\d:?\d\d$)/, '$1+').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
  const time = new Date(iso)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9_999 ? time.toISOString() : undefined
}

/** The values of a parameter that may be repeated. Empty ones, such as of unset shell variables, count as absent. */
export function filledValues({ repeated }: Address, name: string): string[] | null {
  const values = (repeated[name] ?? []).filter((value) => value !== '')
  return values.length > 0 ? values : null
}

/** Labels of an execution, each a parameter `label=<name>=<value>`. @throws AppError BAD_USER_INPUT */
export const parseLabels = (request: Address): { name: string; value: string }[] =>
  (filledValues(request, 'label') ?? []).map((text) => {
    const at = text.indexOf('=')
    if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) }
    throw badQuery('label', '<name>=<value>')
  })

const HINT = 'expected the Base64 of <USER_ID>:<PASSWORD>'

/**
 * Reads the `credentials` header: Base64 of user id and password, plain or percent-encoded.
 * @throws AppError BAD_USER_INPUT when it is missing or malformed; the message never repeats it
 */
export function parseCredentials(header: string | undefined) {
  if (!header) throw new AppError('BAD_USER_INPUT', `Header credentials is missing: ${HINT}`)
  const text = decode(header.trim())
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 1 || text.includes('\0'))
    throw new AppError('BAD_USER_INPUT', `Header credentials is malformed: ${HINT}`)
  return { userId: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Encoders of MIME break lines (RFC 2045, 6.8), and some end with a break. */
const withoutBreaks = (base64: string): string => base64.replace(/[\r\n]/g, '')

function decode(header: string): string | null {
  try {
    const base64 = header.includes('%') ? withoutBreaks(decodeURIComponent(header)) : header
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return null
  }
}

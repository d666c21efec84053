import { randomBytes } from 'node:crypto'
import { AppError } from '../errors.ts'
import { ExactNumber, lossOf, numberOf } from './exact-number.ts'
import { requireBounded } from './scanner.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError PAYLOAD_TOO_LARGE for too many values, BAD_USER_INPUT unless it is JSON in UTF-8 */
export function parseBounded(body: Uint8Array): unknown {
  requireBounded(body)
  return parseJson(body, MAX_EXACT_NUMBERS)
}

/**
 * Numbers keep their digits.
 * @param most how many of them may need more than a double
 * @throws AppError BAD_USER_INPUT unless it is JSON in UTF-8, PAYLOAD_TOO_LARGE for more such numbers
 */
export const parseJson = (body: Uint8Array, most?: number): unknown =>
  parsedBy((text) => parseExact(text, most), body)

/** As parseJson for a part of a body, where places in the part would be wrong ones. */
export const parsePart = (part: Uint8Array): unknown => parsedBy(parseExact, part, false)

/** @throws AppError BAD_USER_INPUT unless it is JSON in UTF-8 */
export const requireJson = (part: Uint8Array): void => {
  parsedBy(JSON.parse, part, false)
}

function parsedBy(parse: (text: string) => unknown, body: Uint8Array, hasPlaces = true): unknown {
  if (body.length === 0) throw new AppError('BAD_USER_INPUT', 'The request body is empty')
  const text = utf8Of(body)
  try {
    return parse(text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw notJson(hasPlaces ? faultOf(cause as SyntaxError) : '', { cause })
  }
}

/** @param fault what is wrong, and where */
export const notJson = (fault = '', options?: ErrorOptions): AppError =>
  new AppError(
    'BAD_USER_INPUT',
    `The request body is not valid JSON${fault && `: ${fault}`}`,
    options,
  )

/** Message of the engine about a text, without a part of the text, which may be secret. */
const faultOf = ({ message }: SyntaxError): string =>
  message
    .replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '')
    .replace(/ in JSON at position \d+/, '')

/** Without a byte order mark. @param what it is, for messages @throws AppError BAD_USER_INPUT unless it is UTF-8 */
export function utf8Of(body: Uint8Array, what = 'The request body'): string {
  try {
    return UTF8.decode(body)
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', `${what} is not in UTF-8`, { cause })
  }
}

/** No copy is made of a single piece. */
export const joined = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

/** Exact numbers in one text of a client: each costs more than a microsecond. */
export const MAX_EXACT_NUMBERS = 50_000

/** In the text of JSON: what may be a number that a double changes. Epoch microseconds are none, most texts have none. */
const SUSPECT = /[:,[\s]-?(?:9\d{15}|\d[\d.]{15}[\d.eE]|\d[\d.]*[eE][+-]?\d{3})[\d.eE+-]*/g
const IN_NUMBER = new Set(Buffer.from('0123456789.eE+-'))

/**
 * As JSON.parse, but numbers that a double would change become ExactNumber. A reviver would cost a microsecond for each
 * value of the text; here only those numbers cost something.
 * @param most how many of them there may be
 * @param keep what stands for a number of that text; undefined leaves it to a double
 * @throws AppError PAYLOAD_TOO_LARGE where there are more
 */
export function parseExact(
  text: string,
  most = Number.POSITIVE_INFINITY,
  keep: (source: string) => unknown = exactOf,
): unknown {
  const plain: unknown = JSON.parse(text)
  if (typeof plain === 'number') return keep(text.trim()) ?? plain
  const found: unknown[] = []
  /** A string that no sender can guess stands for each number while JSON.parse runs once more. */
  let mark = ''
  let marked = ''
  let markedTo = 0
  let isInString: ReturnType<typeof stringsOf> | undefined
  SUSPECT.lastIndex = 0
  // `exec` and `replace` take several times as long, and so would a list of the pieces of the marked text.
  while (SUSPECT.test(text)) {
    const to = SUSPECT.lastIndex
    let from = to
    while (IN_NUMBER.has(text.charCodeAt(from - 1))) from--
    const number = keep(text.slice(from, to))
    if (number === undefined) continue
    isInString ??= stringsOf(text)
    if (isInString(from)) continue
    if (found.length >= most)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `More than ${most} numbers need more than a double (MAX_EXACT_NUMBERS): send fewer at a time`,
      )
    mark ||= randomBytes(9).toString('base64')
    marked += `${text.slice(markedTo, from)}"${mark}${found.push(number) - 1}"`
    markedTo = to
  }
  if (!mark) return plain
  return withExact(JSON.parse(marked + text.slice(markedTo)), mark, found)
}

function exactOf(source: string): ExactNumber | undefined {
  const number = numberOf(source)
  return typeof number === 'object' ? number : undefined
}

/** The reviver that does the same, for libraries that call JSON.parse themselves. */
export const reviveExact = (_key: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' && context?.source ? numberOf(context.source) : value

/** @returns whether a position is within a string; to be asked from the left to the right */
function stringsOf(text: string): (at: number) => boolean {
  let start = text.indexOf('"')
  let end = -1
  return (at) => {
    while (start >= 0 && start < at) {
      if (end < start) end = endOfString(text, start)
      if (end >= at) return true
      start = text.indexOf('"', end + 1)
    }
    return false
  }
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
}

/** Puts numbers in the place of their marked strings. */
function withExact(marked: unknown, mark: string, found: readonly unknown[]): unknown {
  const numberAt = (inner: unknown): unknown =>
    typeof inner === 'string' && inner.startsWith(mark)
      ? found[Number(inner.slice(mark.length))]
      : undefined
  const root: unknown[] = [marked]
  const open: object[] = [root]
  for (let within = open.pop(); within; within = open.pop()) {
    // By index: as texts, the indexes of a list would take as long as all else.
    if (Array.isArray(within))
      for (let index = 0; index < within.length; index++) {
        const inner: unknown = within[index]
        if (typeof inner === 'object' && inner !== null) open.push(inner)
        else within[index] = numberAt(inner) ?? inner
      }
    else
      for (const key in within) {
        const inner: unknown = within[key as keyof object]
        const value = numberAt(inner)
        if (typeof inner === 'object' && inner !== null) open.push(inner)
        else if (value && key === '__proto__') Object.defineProperty(within, key, { value })
        else if (value) (within as Record<string, unknown>)[key] = value
      }
  }
  return root[0]
}

/** True if JSON nests deeper than a number of levels; visits no value below them. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return !(value instanceof ExactNumber)
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(levels - 1, inner))
  // Every event pays for this, and a list of the values would take several times as long.
  for (const key in value) if (isDeeperThan(levels - 1, value[key as keyof object])) return true
  return false
}

/** Levels of JSON that are looked through. Only events keep exact numbers, and the other inputs refuse what nests deeper. */
const MAX_LEVELS = 256

/**
 * The same with doubles for exact numbers, for inputs that are computed with; a copy only where there are any. Fractions
 * become the nearest double, as in any JSON client.
 * @throws AppError BAD_USER_INPUT with the path of an integer that would change, or of a number beyond the range
 */
export function asDoubles(value: unknown): unknown {
  if (!hasExact(value, MAX_LEVELS)) return value
  refuseLoss(value, '', MAX_LEVELS)
  return roundedCopy(value, MAX_LEVELS)
}

function refuseLoss(value: unknown, path: string, levels: number): void {
  if (typeof value !== 'object' || value === null || levels === 0) return
  if (value instanceof ExactNumber) {
    const fault = lossOf(value)
    if (fault) throw new AppError('BAD_USER_INPUT', path ? `${path}: ${fault}` : fault)
  } else if (Array.isArray(value))
    for (const [index, inner] of value.entries()) refuseLoss(inner, `${path}[${index}]`, levels - 1)
  else
    for (const [key, inner] of Object.entries(value))
      refuseLoss(inner, path ? `${path}.${key}` : key, levels - 1)
}

function hasExact(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false
  if (value instanceof ExactNumber) return true
  if (Array.isArray(value)) return value.some((inner) => hasExact(inner, levels - 1))
  for (const key in value) if (hasExact(value[key as keyof object], levels - 1)) return true
  return false
}

function roundedCopy(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (value instanceof ExactNumber) return value.valueOf()
  if (Array.isArray(value)) return value.map((inner) => roundedCopy(inner, levels - 1))
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, roundedCopy(inner, levels - 1)]))
}

/**
 * Characters of a value as JSON: those of its texts and keys, as if nothing in them were escaped, and about as many as
 * the rest has. A text that stands in several places counts in each.
 * @param atMost beyond it, counting ends
 */
export function charactersIn(value: unknown, atMost = Number.POSITIVE_INFINITY): number {
  let characters = 0
  // Values may be nested deeper than calls may be.
  const containers: object[] = []
  const count = (next: unknown): void => {
    if (typeof next === 'string') characters += next.length + OF_MARKS
    else if (isContainer(next)) containers.push(next)
    else characters += OF_OTHERS
  }
  count(value)
  while (characters <= atMost) {
    const container = containers.pop()
    if (!container) break
    characters += OF_MARKS
    // A number with all its digits writes itself.
    if ('toJSON' in container && typeof container.toJSON === 'function')
      characters += String(container).length
    else if (Array.isArray(container)) for (const item of container) count(item)
    else
      for (const key in container) {
        characters += key.length + OF_MARKS
        count((container as Record<string, unknown>)[key])
      }
  }
  return characters
}

/** Quotes and a comma or colon. */
export const OF_MARKS = 3
/** A number, a truth or null, with its comma. */
export const OF_OTHERS = 5

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Key under which data hold their size: each garbage collection would look through a map of them. */
const CHARACTERS = Symbol('characters')

/** Remembers how many characters the data of an answer have. */
export function noteCharacters(data: unknown, characters: number): void {
  if (isContainer(data)) Object.defineProperty(data, CHARACTERS, { value: characters })
}

/** Remembered size of data; unbounded where there is none. */
export const notedCharacters = (data: { [CHARACTERS]?: number }): number =>
  data[CHARACTERS] ?? Number.POSITIVE_INFINITY

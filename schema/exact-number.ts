import { randomBytes } from 'node:crypto'
import { AppError } from './errors.ts'

declare global {
  /** ECMAScript's "JSON.parse source text access", which the library of this TypeScript lacks. */
  interface JSON {
    rawJSON(text: string): object
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** Significant digits of a number that is kept; PostgreSQL indexes numbers up to about 4000 digits. */
export const MAX_DIGITS = 1_000

/** Exact numbers in one text of a client: each costs more than a microsecond. */
export const MAX_EXACT_NUMBERS = 50_000

/** Zeros before or behind the digits that are written out; more are written as an exponent. */
const MAX_ZEROS = 100

/**
 * A JSON number that a double would change, as a leaf of parsed JSON. Every JSON.stringify writes all its
 * digits. Equal numbers have the same text. Code that walks parsed JSON takes it for a number, not for an object.
 */
export class ExactNumber {
  readonly #text: string
  readonly #isKept: boolean
  readonly #isInteger: boolean

  /** @param double the nearest one */
  constructor(decimal: Decimal, double: number) {
    this.#isKept = Number.isFinite(double) && double !== 0 && decimal.digits.length <= MAX_DIGITS
    this.#isInteger = decimal.exponent >= 0
    this.#text = this.#isKept ? textOf(decimal) : scientific(decimal, 'E')
  }

  get isInteger(): boolean {
    return this.#isInteger
  }

  /** Whether it can be stored: a double comes near it, and it has at most MAX_DIGITS digits. If not, its text has an `E`. */
  get isKept(): boolean {
    return this.#isKept
  }

  toJSON(): object {
    return JSON.rawJSON(this.#text)
  }

  toString(): string {
    return this.#text
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.#text)
  }
}

/** In the text of JSON: what may be a number that a double changes. Epoch microseconds are none, most texts have none. */
const SUSPECT = /[:,[\s](-?(?:9\d{15}|\d[\d.]{15}[\d.eE]|\d[\d.]*[eE][+-]?\d{3})[\d.eE+-]*)/g

/**
 * As JSON.parse, but numbers that a double would change become ExactNumber. A reviver would cost a microsecond for each
 * value of the text; here only those numbers cost something.
 * @param most how many of them there may be @throws AppError PAYLOAD_TOO_LARGE where there are more
 */
export function parseExact(text: string, most = Number.POSITIVE_INFINITY): unknown {
  const plain: unknown = JSON.parse(text)
  if (typeof plain === 'number') return numberOf(text.trim())
  const exact = exactIn(text, most)
  return exact.length === 0 ? plain : withExact(text, exact)
}

/** The reviver that does the same, for libraries that call JSON.parse themselves. */
export const reviveExact = (_key: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' && context?.source ? numberOf(context.source) : value

/** An exact number, and where its text stands. */
interface LocatedNumber {
  number: ExactNumber
  from: number
  to: number
}

/** @param text JSON without faults */
function exactIn(text: string, most: number): LocatedNumber[] {
  const found: LocatedNumber[] = []
  const isInString = stringsOf(text)
  SUSPECT.lastIndex = 0
  for (let match = SUSPECT.exec(text); match; match = SUSPECT.exec(text)) {
    const source = match[1] ?? ''
    const number = numberOf(source)
    const from = match.index + 1
    if (typeof number !== 'object' || isInString(from)) continue
    found.push({ number, from, to: from + source.length })
    if (found.length > most)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `More than ${most} numbers need more than a double (MAX_EXACT_NUMBERS): send fewer at a time`,
      )
  }
  return found
}

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

/** Strings that no sender can guess stand for the numbers while JSON.parse runs. */
function withExact(text: string, found: readonly LocatedNumber[]): unknown {
  const mark = randomBytes(9).toString('base64')
  const pieces: string[] = []
  let at = 0
  for (const [index, { from, to }] of found.entries()) {
    pieces.push(text.slice(at, from), `"${mark}${index}"`)
    at = to
  }
  const root: unknown = [JSON.parse(pieces.join('') + text.slice(at))]
  const open = [root as Record<string, unknown>]
  for (let within = open.pop(); within; within = open.pop())
    for (const key of Object.keys(within)) {
      const inner = within[key]
      if (typeof inner === 'object' && inner !== null) open.push(inner as Record<string, unknown>)
      else if (typeof inner === 'string' && inner.startsWith(mark)) {
        const value = found[Number(inner.slice(mark.length))]?.number
        if (key === '__proto__') Object.defineProperty(within, key, { value })
        else within[key] = value
      }
    }
  return (root as unknown[])[0]
}

/** Digits that every double holds, as long as it is neither too large nor too small for them. */
const SAFE_LENGTH = 15
const MIN_NORMAL = 2 ** -1022
const ZERO = /^-?[0.]+(?:[eE]|$)/

/** The value of a number in JSON, or in GraphQL. @returns NaN unless it is one */
export function numberOf(source: string): number | ExactNumber {
  const double = Number(source)
  if (source.length <= SAFE_LENGTH && isNormal(double)) return double
  if (Number.isNaN(double) || ZERO.test(source) || String(double) === source) return double
  const sent = decimalOf(source)
  if (!Number.isFinite(double)) return new ExactNumber(sent, double)
  const held = decimalOf(String(double))
  const isSame = sent.digits === held.digits && sent.exponent === held.exponent
  return isSame ? double : new ExactNumber(sent, double)
}

const isNormal = (double: number): boolean =>
  Number.isFinite(double) && Math.abs(double) >= MIN_NORMAL

/** Levels of JSON that are looked through. Only events keep exact numbers, and the other inputs refuse what nests deeper. */
const MAX_LEVELS = 256

/** The same with doubles for exact numbers; a copy only where there are any. */
export const rounded = (value: unknown): unknown =>
  hasExact(value, MAX_LEVELS) ? roundedCopy(value, MAX_LEVELS) : value

/**
 * As `rounded`, for inputs that are computed with as doubles. Fractions become the nearest double, as in any JSON client.
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

/** Characters of a number that a message repeats. */
const SHOWN = 40

/** Why a double cannot stand for a number. @returns undefined for a fraction that it comes near */
export function lossOf(number: number | ExactNumber): string | undefined {
  if (typeof number === 'number' || (number.isKept && !number.isInteger)) return undefined
  const text = String(number)
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return number.isKept
    ? `${shown} would lose digits, as integers are exact up to ${Number.MAX_SAFE_INTEGER}: give it as a text, in quotes`
    : `${shown} is outside the range of numbers: give it as a text, in quotes`
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

/** digits × 10^exponent, without zeros at either end of the digits; zero has none. */
interface Decimal {
  sign: string
  digits: string
  exponent: number
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

function decimalOf(source: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(source) ?? []
  const all = whole + fraction
  // Not by a regular expression: for zeros within a long number it would take quadratic time.
  let from = 0
  let to = all.length
  while (from < to && all[from] === '0') from++
  while (to > from && all[to - 1] === '0') to--
  const exponent = Number(power) - fraction.length + (all.length - to)
  return { sign, digits: all.slice(from, to), exponent }
}

function textOf(decimal: Decimal): string {
  const { sign, digits, exponent } = decimal
  /** How many digits stand before the point. */
  const point = digits.length + exponent
  if (exponent > MAX_ZEROS || point < -MAX_ZEROS) return scientific(decimal, 'e')
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent)
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
  return `${sign}0.${'0'.repeat(-point)}${digits}`
}

function scientific({ sign, digits, exponent }: Decimal, letter: 'e' | 'E'): string {
  const power = digits.length - 1 + exponent
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return `${sign}${digits[0]}${fraction}${letter}${power < 0 ? '' : '+'}${power}`
}

declare global {
  /** ECMAScript's "JSON.parse source text access", which the library of this TypeScript lacks. */
  interface JSON {
    /** Node 20, which the command runs on, has none. */
    rawJSON(text: string): object
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** Significant digits of a number that is kept; PostgreSQL indexes numbers up to about 4000 digits. */
export const MAX_DIGITS = 1_000

/** Zeros before or behind the digits that are written out; more are written as an exponent. */
const MAX_ZEROS = 100

/** Stands before the digits where there is no JSON.rawJSON; no sender can guess it. */
const MARK = crypto.randomUUID()
const MARKED = new RegExp(`"${MARK}([^"]+)"`, 'g')

/** JSON.stringify with all digits of exact numbers, on Node 20, too. */
export function exactJson(value: unknown): string {
  const text = JSON.stringify(value)
  return 'rawJSON' in JSON ? text : text.replace(MARKED, '$1')
}

/**
 * A JSON number that a double would change, as a leaf of parsed JSON. Every JSON.stringify writes all its digits; on
 * Node 20 `exactJson` alone does. Equal numbers have the same text. Code that walks parsed JSON takes it for a number,
 * not for an object.
 */
export class ExactNumber {
  readonly #text: string
  readonly #isKept: boolean
  readonly #isInteger: boolean

  constructor(text: string, isInteger: boolean, isKept: boolean) {
    this.#text = text
    this.#isInteger = isInteger
    this.#isKept = isKept
  }

  get isInteger(): boolean {
    return this.#isInteger
  }

  /** True if it can be stored: a double comes near it, and it has at most MAX_DIGITS digits. If not, its text has an `E`. */
  get isKept(): boolean {
    return this.#isKept
  }

  toJSON(): object | string {
    return 'rawJSON' in JSON ? JSON.rawJSON(this.#text) : MARK + this.#text
  }

  toString(): string {
    return this.#text
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.#text)
  }
}

/** Digits that every double holds, as long as it is neither too large nor too small for them. */
const SAFE_LENGTH = 15
const MIN_NORMAL = 2 ** -1022
const ZERO = /^-?[0.]+(?:[eE]|$)/
/** Integers that a double writes without an exponent, too, so that equal ones have equal texts. Most exact numbers are ids. */
const PLAIN_INTEGER = /^-?[1-9]\d{0,19}$/

/** The value of a number in JSON, or in GraphQL. @returns NaN unless it is one */
export function numberOf(source: string): number | ExactNumber {
  const double = Number(source)
  if (source.length <= SAFE_LENGTH && isNormal(double)) return double
  if (Number.isNaN(double) || ZERO.test(source) || String(double) === source) return double
  if (PLAIN_INTEGER.test(source)) return new ExactNumber(source, true, true)
  const sent = decimalOf(source)
  if (!Number.isFinite(double)) return exact(sent, double)
  const held = decimalOf(String(double))
  const isSame = sent.digits === held.digits && sent.exponent === held.exponent
  return isSame ? double : exact(sent, double)
}

/** @param double the nearest one */
function exact(decimal: Decimal, double: number): ExactNumber {
  const isKept = Number.isFinite(double) && double !== 0 && decimal.digits.length <= MAX_DIGITS
  const text = isKept ? textOf(decimal) : scientific(decimal, 'E')
  return new ExactNumber(text, decimal.exponent >= 0, isKept)
}

const isNormal = (double: number): boolean =>
  Number.isFinite(double) && Math.abs(double) >= MIN_NORMAL

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
  /** Number of digits before the point. */
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

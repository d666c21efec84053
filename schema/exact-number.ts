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

/** Zeros before or behind the digits that are written out; more are written as an exponent. */
const MAX_ZEROS = 100

/**
 * A JSON number that a double would change, as a leaf of parsed JSON. Every JSON.stringify writes all its
 * digits. Equal numbers have the same text. Code that walks parsed JSON takes it for a number, not for an object.
 */
export class ExactNumber {
  readonly #text: string
  readonly #isKept: boolean

  /** @param double the nearest one */
  constructor(decimal: Decimal, double: number) {
    this.#isKept = Number.isFinite(double) && double !== 0 && decimal.digits.length <= MAX_DIGITS
    this.#text = this.#isKept ? textOf(decimal) : scientific(decimal, 'E')
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
 * As JSON.parse, but numbers that a double would change become ExactNumber. A reviver takes six times as long, so only
 * texts that hold such a number get one.
 */
export const parseExact = (text: string): unknown =>
  holdsExact(text) ? JSON.parse(text, reviveExact) : JSON.parse(text)

/** The reviver of `parseExact`, for libraries that call JSON.parse themselves. */
export const reviveExact = (_key: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' && context?.source ? numberOf(context.source) : value

function holdsExact(text: string): boolean {
  if (/^\s*[-\d]/.test(text)) return true // the text is a number
  SUSPECT.lastIndex = 0
  for (let match = SUSPECT.exec(text); match; match = SUSPECT.exec(text))
    if (typeof numberOf(match[1] ?? '') === 'object') return true
  return false
}

/** The value of a number in JSON, or in GraphQL. @returns NaN for what is none */
export function numberOf(source: string): number | ExactNumber {
  const double = Number(source)
  if (Number.isNaN(double) || String(double) === source) return double
  const sent = decimalOf(source)
  if (!Number.isFinite(double)) return new ExactNumber(sent, double)
  const held = decimalOf(String(double))
  const isSame = sent.digits === held.digits && sent.exponent === held.exponent
  return isSame || sent.digits === '' ? double : new ExactNumber(sent, double)
}

/** Levels of JSON that are looked through. Only events keep exact numbers, and the other inputs refuse what nests deeper. */
const MAX_LEVELS = 256

/** The same with doubles for exact numbers; a copy only where there are any. */
export const rounded = (value: unknown): unknown =>
  hasExact(value, MAX_LEVELS) ? roundedCopy(value, MAX_LEVELS) : value

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

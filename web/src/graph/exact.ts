declare global {
  /** ECMAScript's "JSON.parse source text access"; browsers of before 2025 may lack it. */
  interface JSON {
    rawJSON(text: string): object
    parse(
      text: string,
      reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
    ): unknown
  }
}

/** A JSON number that a double would change. `JSON.stringify` writes all its digits. */
export class ExactNumber {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toJSON(): unknown {
    return 'rawJSON' in JSON ? JSON.rawJSON(this.#text) : this.#text
  }
  toString(): string {
    return this.#text
  }
}

/** In the text of JSON: perhaps a number that a double changes. */
const SUSPECT = /(?:^|[:,[\s])-?(?:[\d.]{16}|\d[\d.]*[eE][+-]?\d{3})/

/** As `JSON.parse`, but numbers keep their digits; where the browser has no access to them, they are rounded. */
export const parseExact = (text: string): unknown =>
  SUSPECT.test(text) ? JSON.parse(text, reviveExact) : JSON.parse(text)

/** The reviver that does it, for libraries that call `JSON.parse` themselves. */
export const reviveExact = (
  _key: string,
  value: unknown,
  context?: { source?: string },
): unknown =>
  typeof value === 'number' && context?.source !== undefined && isChanged(value, context.source)
    ? new ExactNumber(context.source)
    : value

/** True if a number is not the one of its text. */
function isChanged(value: number, source: string): boolean {
  const digits = significant(source)
  return digits.length > 15 && digits !== significant(String(value))
}

/** The digits of a number without its sign, its point, its exponent and zeros around them. */
const significant = (text: string): string =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')

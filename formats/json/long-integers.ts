/**
 * Integers that doubles do not tell apart, such as 9007199254740993, are BigInt in what a server answers, and so in
 * results, captures and templates: BigInt crosses processes as it is. What writes or checks JSON of a run uses
 * `text.ts`, as most code knows no BigInt.
 */
const PLAIN_INTEGER = /^-?\d{16,1000}$/

/** The long integer that a text has the digits of. */
export const longInteger = (text: string): bigint | undefined =>
  PLAIN_INTEGER.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined

/** The long integer that a value is: as a number, the one that it is written as. */
export function longOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value))
    return undefined
  const [digits = '', power = '0'] = String(value).split('e+')
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(power === '0' ? whole : whole + fraction.padEnd(Number(power), '0'))
}

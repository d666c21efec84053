import { ExactNumber } from '../../../schema/exact-number.ts'

/**
 * In the text that JSON.stringify makes: NUL or half of a surrogate pair, which jsonb refuses, or a number that is not
 * kept. Also matches some texts, such as `\\u0000` and `1E+9`.
 */
const SUSPECT = /\\u(?:0000|d[89a-f])|\dE[+-]/

/** Whether a value may hold what cannot be stored, judged quickly by its JSON text. */
export const isSuspect = (json: string): boolean => SUSPECT.test(json)

/** Whether every string and key in it is Unicode text without NUL. */
export const holdsStorableTexts = (value: unknown): boolean =>
  everyLeaf(
    (leaf) => typeof leaf !== 'string' || (leaf.isWellFormed() && !leaf.includes('\0')),
    value,
  )

/** Whether every number in it can be stored with all its digits. */
export const holdsStorableNumbers = (value: unknown): boolean =>
  everyLeaf((leaf) => !(leaf instanceof ExactNumber) || leaf.isKept, value)

/** Of every scalar and key in it. */
function everyLeaf(isRight: (leaf: unknown) => boolean, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
    return isRight(value)
  if (Array.isArray(value)) return value.every((inner) => everyLeaf(isRight, inner))
  return Object.entries(value).every(([key, inner]) => isRight(key) && everyLeaf(isRight, inner))
}

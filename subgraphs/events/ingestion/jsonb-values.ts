import { ExactNumber } from '../../../formats/json/exact-number.ts'

/** True if every string and key in it is Unicode text without NUL. */
export const holdsJsonbTexts = (value: unknown): boolean =>
  everyLeaf(
    (leaf) => typeof leaf !== 'string' || (leaf.isWellFormed() && !leaf.includes('\0')),
    value,
  )

/** True if every number in it can be stored with all its digits. */
export const holdsJsonbNumbers = (value: unknown): boolean =>
  everyLeaf((leaf) => !(leaf instanceof ExactNumber) || leaf.isKept, value)

/** Tests every scalar and key in it. */
function everyLeaf(isRight: (leaf: unknown) => boolean, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
    return isRight(value)
  if (Array.isArray(value)) return value.every((inner) => everyLeaf(isRight, inner))
  return Object.entries(value).every(([key, inner]) => isRight(key) && everyLeaf(isRight, inner))
}

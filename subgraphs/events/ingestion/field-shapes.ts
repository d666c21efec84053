import { ExactNumber } from '../../../schema/exact-number.ts'

/** A JSON object as it arrived. */
export type Item = Record<string, unknown>

/** What a field must be when it is present; judged in this order, the first fault is reported. */
const SHAPES: readonly Shape[] = [
  { name: 'fingerprintFields', isRight: isTexts },
  { name: 'source', isRight: isItem },
  { of: 'source', name: 'ref', isRight: isText },
  { of: 'source', name: 'type', isRight: isText },
  { of: 'source', name: 'name', isRight: isText },
  { of: 'source', name: 'properties', isRight: isItem },
  { name: 'message', isRight: isText },
  { name: 'properties', isRight: isItem },
  { name: 'severity', isRight: isText },
  { name: 'status', isRight: isText },
  { name: 'tags', isRight: isTexts },
  { name: 'eventClass', isRight: isText },
  { name: 'sender', isRight: isItem },
  { of: 'sender', name: 'ref', isRight: isText },
  { of: 'sender', name: 'type', isRight: isText },
  { of: 'sender', name: 'name', isRight: isText },
  { of: 'sender', name: 'properties', isRight: isItem },
]

interface Shape {
  /** The field that it is a part of. */
  of?: string
  name: string
  isRight(value: unknown): boolean
}

/** The first field of the wrong type. An explicit null counts as absent. */
export function misshapenField(item: Item): string | undefined {
  for (const shape of SHAPES) {
    const value = partOf(item, shape)
    if (value !== undefined && value !== null && !shape.isRight(value)) return pathOf(shape)
  }
  return undefined
}

/** The first stored field for which `isRight` fails. */
export function firstFieldThat(fails: (value: unknown) => boolean, item: Item): string | undefined {
  if (fails(item.title)) return 'title'
  const shape = SHAPES.find((one) => fails(partOf(item, one)))
  return shape && pathOf(shape)
}

export function isItem(value: unknown): value is Item {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  )
}

function partOf(item: Item, { of, name }: Shape): unknown {
  if (of === undefined) return item[name]
  const whole = item[of]
  return isItem(whole) ? whole[name] : undefined
}

const pathOf = ({ of, name }: Shape): string => (of === undefined ? name : `${of}.${name}`)

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

/**
 * In the text that JSON.stringify makes: NUL or half of a surrogate pair, which jsonb refuses, or a number that is not
 * kept. Also matches some texts, such as `\\u0000` and `1E+9`.
 */
const SUSPECT = /\\u(?:0000|d[89a-f])|\dE[+-]/

/** Whether a value may hold what cannot be stored, judged quickly by its JSON text. */
export const isSuspect = (json: string): boolean => SUSPECT.test(json)

/** Whether every string and key in it is Unicode text without NUL. */
export const holdsJsonbTexts = (value: unknown): boolean =>
  everyLeaf(
    (leaf) => typeof leaf !== 'string' || (leaf.isWellFormed() && !leaf.includes('\0')),
    value,
  )

/** Whether every number in it can be stored with all its digits. */
export const holdsJsonbNumbers = (value: unknown): boolean =>
  everyLeaf((leaf) => !(leaf instanceof ExactNumber) || leaf.isKept, value)

/** Of every scalar and key in it. */
function everyLeaf(isRight: (leaf: unknown) => boolean, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
    return isRight(value)
  if (Array.isArray(value)) return value.every((inner) => everyLeaf(isRight, inner))
  return Object.entries(value).every(([key, inner]) => isRight(key) && everyLeaf(isRight, inner))
}

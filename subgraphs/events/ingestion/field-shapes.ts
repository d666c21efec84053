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

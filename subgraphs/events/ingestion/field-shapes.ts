/** A JSON object as it arrived. */
export type Item = Record<string, unknown>

/** Field → what it must be when it is present; judged in this order, the first fault is reported. */
const SHAPES: readonly (readonly [field: string, isRight: (value: unknown) => boolean])[] = [
  ['fingerprintFields', isTexts],
  ['source', isItem],
  ['source.ref', isText],
  ['source.type', isText],
  ['source.name', isText],
  ['source.properties', isItem],
  ['message', isText],
  ['properties', isItem],
  ['severity', isText],
  ['status', isText],
  ['tags', isTexts],
  ['eventClass', isText],
  ['sender', isItem],
  ['sender.ref', isText],
  ['sender.type', isText],
  ['sender.name', isText],
  ['sender.properties', isItem],
]

/** The first field of the wrong type. An explicit null counts as absent. */
export function misshapenField(item: Item): string | undefined {
  for (const [field, isRight] of SHAPES) {
    const value = fieldOf(item, field)
    if (value !== undefined && value !== null && !isRight(value)) return field
  }
  return undefined
}

/** The first stored field for which `isRight` fails. */
export function firstFieldThat(fails: (value: unknown) => boolean, item: Item): string | undefined {
  if (fails(item.title)) return 'title'
  return SHAPES.find(([field]) => fails(fieldOf(item, field)))?.[0]
}

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldOf(item: Item, path: string): unknown {
  const dot = path.indexOf('.')
  if (dot < 0) return item[path]
  const parent = item[path.slice(0, dot)]
  return isItem(parent) ? parent[path.slice(dot + 1)] : undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

/** An entity by its id, another object by the value that it stands for. */
export interface Traced extends Record<string, unknown> {
  __typename: string
  id?: string
  text?: string
  /** Fields that the path to it provides. */
  provided?: readonly string[]
}

/** Every key of an entity determines its id: `id`, `sku`, `part` and `area` together, and `ref { num }`. */
export function keyOf({ id, text }: Traced, name: string): unknown {
  if (name === 'num') return text
  if (!id) return undefined
  return {
    id,
    sku: `sku-${id}`,
    part: `part-${Number(id) % 2}`,
    area: `area-${Math.floor(Number(id) / 2)}`,
    ref: { __typename: 'Ref', text: `num-${id}` },
  }[name]
}

/** @param reference the representation of an entity */
export function idOf(reference: Record<string, unknown>): string {
  const { id, sku, part, area, ref } = reference
  const numberIn = (text: unknown) => Number(String(text).replace(/^\D*/, ''))
  const ids = new Set<number>()
  if (id) ids.add(numberIn(id))
  if (sku) ids.add(numberIn(sku))
  if (part && area) ids.add(numberIn(area) * 2 + numberIn(part))
  if (ref) ids.add(numberIn((ref as Record<string, unknown>).num))
  const [only] = ids
  if (ids.size !== 1) throw new Error(`These are the keys of ${ids.size} entities`)
  return String(only)
}

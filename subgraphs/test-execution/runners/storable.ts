/** Text a database and XML can hold: no NUL, no half of a surrogate pair. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** The same for every string and key inside JSON. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [storableText(key), storable(held)]),
  )
}

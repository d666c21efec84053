/** Text a database and XML can hold: no NUL, no half of a surrogate pair. */
export const sanitizeText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** The same for every string and key inside JSON. */
export function sanitize(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (Array.isArray(value)) return value.map(sanitize)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [sanitizeText(key), sanitize(held)]),
  )
}

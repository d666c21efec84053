/** In JSON text: NUL or half of a surrogate pair, which jsonb refuses. Also matches the text `\\u0000`. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

/** Whether a value may hold what `isStorable` refuses, judged quickly by its JSON text. */
export const isSuspect = (json: string): boolean => SUSPECT.test(json)

/** Whether every string and key in it is Unicode text without NUL. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

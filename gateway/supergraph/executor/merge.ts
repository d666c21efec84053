import { getOwn, isObject, type Json, setOwn } from './own.ts'

/**
 * Merges what a later fetch found into what is there already; what is new is taken over as it is, not copied. Lists of
 * equal length merge item by item.
 */
export function mergeInto(target: Json, source: Json): void {
  for (const key of Object.keys(source)) {
    const next = source[key]
    if (next !== undefined) setOwn(target, key, merged(getOwn(target, key), next))
  }
}

function merged(present: unknown, next: unknown): unknown {
  if (present === next) return next
  if (isObject(present) && isObject(next)) {
    mergeInto(present, next)
    return present
  }
  if (Array.isArray(present) && Array.isArray(next) && present.length === next.length) {
    for (const [index, item] of next.entries()) present[index] = merged(present[index], item)
    return present
  }
  return next
}

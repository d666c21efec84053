import { isDeeperThan } from '../../platform/json-depth.ts'

/** What a value that is no text takes, about. */
const VALUE_BYTES = 4

/** About how many characters a value has as JSON. Looks no further than `enough`. */
export function sizeOf(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  let size = 0
  const add = (part: unknown): void => {
    size += typeof part === 'string' ? part.length : VALUE_BYTES
    if (typeof part !== 'object' || part === null) return
    if (Array.isArray(part)) {
      for (const item of part) if (size <= enough) add(item)
      return
    }
    for (const key in part) {
      size += key.length
      if (size <= enough) add(part[key as keyof typeof part])
    }
  }
  add(value)
  return size
}

/** Deeper JSON is refused: everything that walks a value may then recurse. */
const MAX_JSON_DEPTH = 100

export const isTooDeep = (value: unknown): boolean => isDeeperThan(MAX_JSON_DEPTH, value)

import { ExactNumber } from '../../schema/exact-number.ts'

/** Whether JSON nests deeper than a number of levels; visits no value below them. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return !(value instanceof ExactNumber)
  if (Array.isArray(value)) return value.some((inner) => isDeeperThan(levels - 1, inner))
  // Every event pays for this, and a list of the values would take several times as long.
  for (const key in value) if (isDeeperThan(levels - 1, value[key as keyof object])) return true
  return false
}

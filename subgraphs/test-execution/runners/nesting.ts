/** Deeper JSON is refused: everything that walks a value may then recurse. */
export const MAX_NESTING = 100

/** Whether JSON nests deeper than `levels`; looks no deeper than that itself. */
export function isDeeperThan(value: unknown, levels = MAX_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1))
}

import { isDeeperThan } from '../../platform/json-depth.ts'

/** Deeper JSON is refused: everything that walks a value may then recurse. */
export const MAX_NESTING = 100

export const isTooNested = (value: unknown): boolean => isDeeperThan(MAX_NESTING, value)

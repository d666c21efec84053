import { isDeepStrictEqual } from 'node:util'

/** Whether two artifacts hold the same, whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))

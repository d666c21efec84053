export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list without members, as PHP and its clients write an object without members. */
export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const MOST = 2 ** 31 - 1

/** Whether results can carry it as the number of a line: an `Int` of GraphQL, from 1. */
export const isLine = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST

/** Which scenario or suite, as the address has it. */
export interface TrendSearch {
  context?: string
}

export const trendSearch = ({ context }: Record<string, unknown>): TrendSearch =>
  typeof context === 'string' && context !== '' ? { context } : {}

/** Which two executions. */
export interface CompareSearch {
  a?: string
  b?: string
}

export const compareSearch = ({ a, b }: Record<string, unknown>): CompareSearch => ({
  ...(typeof a === 'string' && { a }),
  ...(typeof b === 'string' && { b }),
})

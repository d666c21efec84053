/** Scenario or suite, as the address has it. */
export const trendSearch = ({ context }: Record<string, unknown>): { context?: string } =>
  typeof context === 'string' && context !== '' ? { context } : {}

/** Two executions; without an earlier one, the one before of the same scenario or suite. */
export interface CompareSearch {
  a?: string
  b?: string
  /** True if steps that ended as before are shown, too. */
  all?: boolean
}

export const compareSearch = ({ a, b, all }: Record<string, unknown>): CompareSearch => ({
  ...(typeof a === 'string' && { a }),
  ...(typeof b === 'string' && { b }),
  ...(all === true && { all }),
})

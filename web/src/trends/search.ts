import { type Range, rangeSearch } from '../ui/range.ts'

/** Scenario or suite and what of it, as the address has them. */
export interface TrendSearch extends Range {
  context?: string
  /** `branch=main`, or `branch` for any value. */
  label?: string
}

export const trendSearch = ({
  context,
  label,
  ...range
}: Record<string, unknown>): TrendSearch => ({
  ...(typeof context === 'string' && context !== '' && { context }),
  ...(typeof label === 'string' && label !== '' && { label }),
  ...rangeSearch(range),
})

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

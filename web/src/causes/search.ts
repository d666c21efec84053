import type { FailureCauseFilter, FailureVerdict } from '../graph/generated.ts'

export const VERDICTS: Readonly<Record<FailureVerdict, string>> = {
  PRODUCT: 'Product',
  TEST: 'Test',
  ENVIRONMENT: 'Environment',
  FLAKY: 'Flaky',
}

export const isVerdict = (value: unknown): value is FailureVerdict =>
  typeof value === 'string' && Object.hasOwn(VERDICTS, value)

/** Filters of the list, as the address has them. */
export interface CauseSearch {
  verdict?: FailureVerdict | 'NONE'
  /** With those by which nothing fails now. */
  all?: true
}

/** Addresses come from anywhere: what is unknown in them is left out. */
export const causeSearch = ({ verdict, all }: Record<string, unknown>): CauseSearch => ({
  ...((isVerdict(verdict) || verdict === 'NONE') && { verdict }),
  ...(all === true && { all }),
})

/** Variables of the query. */
export const causesOf = ({ verdict, all }: CauseSearch): FailureCauseFilter => ({
  verdicts: verdict ? [verdict === 'NONE' ? null : verdict] : null,
  isCurrent: all ? null : true,
})

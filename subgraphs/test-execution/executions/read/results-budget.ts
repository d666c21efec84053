import { ReadBudget } from '../../../../platform/paging/read-budget.ts'

/** The largest result is read with its steps, log and report in one operation, and counts for each of them. */
const PAGES = 12

/** @param pageBytes PAGE_BYTES */
export const resultsBudget = (pageBytes?: number): ReadBudget => new ReadBudget(pageBytes, PAGES)

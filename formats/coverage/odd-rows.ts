import type { CoverageReport } from './collect-lines.ts'

/** Describes odd rows of a report for a log; null where there are none. */
export const oddRowsOf = (name: string, report: Omit<CoverageReport, 'files'>): string | null =>
  report.oddRows === 0
    ? null
    : `${name} has ${report.oddRows} odd ${report.oddRows === 1 ? 'row' : 'rows'} of coverage, left out or counted as not hit. The first: ${report.oddRow}`

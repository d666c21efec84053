import type { CoverageReport } from './collect-lines.ts'

/** Describes what is odd about a report for a log: rows, or files without a line; null where nothing is. */
export function oddRowsOf(name: string, { files, oddRows, oddRow }: CoverageReport): string | null {
  if (oddRows > 0)
    return `${name} has ${oddRows} odd ${oddRows === 1 ? 'row' : 'rows'} of coverage, left out or counted as not hit. The first: ${oddRow}`
  return files.some(({ lines }) => lines.size > 0)
    ? null
    : `${name} names files, and no line of them: nothing was measured`
}

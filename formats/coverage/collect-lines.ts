/** Lines of a file that a tool counted. */
export interface CoveredFile {
  /** As its report names it. */
  path: string
  /** Other paths that the report may mean, tried first. */
  places: readonly string[]
  /** Line, from 1 → whether it ran. */
  lines: ReadonlyMap<number, boolean>
}

/** A report of coverage. */
export interface CoverageReport {
  files: CoveredFile[]
  /** Rows that cannot be true: left out, or counted as not hit. */
  oddRows: number
  /** The first of them, for messages. */
  oddRow: string
}

/** The largest number of a line that results carry: an `Int` of GraphQL. */
const MAX_LINE = 2 ** 31 - 1
const MAX_SHOWN = 80

/** Collects lines by file. A file that a report has several times, as for several tests, is one. */
export function collectLines() {
  const files = new Map<string, CoveredFile & { lines: Map<number, boolean> }>()
  const report: CoverageReport = { files: [], oddRows: 0, oddRow: '' }
  const leaveOut = (row: string): void => {
    if (report.oddRows === 0) report.oddRow = row.slice(0, MAX_SHOWN)
    report.oddRows += 1
  }
  return {
    leaveOut,
    /** @returns what takes the rows of the file */
    file(path: string, places: readonly string[] = []) {
      const file = files.get(path) ?? { path, places, lines: new Map() }
      files.set(path, file)
      return {
        /** @param row how the report says it */
        row(line: unknown, hits: unknown, row: string): void {
          const number = numberIn(line)
          const times = numberIn(hits)
          const isLine = Number.isInteger(number) && number >= 1 && number <= MAX_LINE
          if (!isLine || !(times >= 0)) leaveOut(row)
          if (!isLine) return
          file.lines.set(number, file.lines.get(number) === true || times > 0)
        },
      }
    },
    /** @throws Error for a report that names no file */
    report(): CoverageReport {
      if (files.size === 0) throw new Error('it names no file')
      return { ...report, files: [...files.values()] }
    },
  }
}

/** NaN for what is no number; an empty text is none. */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN

/** Tools on Windows write backslashes, some others addresses. */
export function plainPath(name: string): string {
  const path = name.replace(/^file:\/\/(?=\/)/, '')
  return /^[A-Za-z]:\\/.test(path) || !path.includes('/') ? path.replaceAll('\\', '/') : path
}

/** Also of Windows. */
export const isAbsolute = (path: string): boolean => /^([A-Za-z]:)?\//.test(path)

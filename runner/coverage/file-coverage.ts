import type { CoveredFile } from '../../formats/coverage/collect-lines.ts'
import { locateFile, type ReadSource } from '../../formats/coverage/locate-files.ts'
import { lineCoverage, type MeasuredCoverage } from './line-coverage.ts'

/** Bytes of a source that is kept with its coverage. */
export const MAX_SOURCE_BYTES = 256 * 1024
/** Maximum number of files in all reports of a step. */
const MAX_FILES = 10_000
const MAX_LINES = 200_000
/** Files beyond it are kept without their sources. */
const MAX_SOURCES_BYTES = 4 * 1024 * 1024

/** Files that the reports of one step or import have named so far. */
export interface CoveredSources {
  files: number
  lines: number
  bytes: number
}

/** A report, in the folder of its run. */
export interface PlacedReport {
  folder: string
  /** Below `folder`; empty for itself. */
  reportFolder: string
  /** Source of the coverage. */
  tag: string
  read: ReadSource
}

/**
 * The same for results, with the source where it lies in the folder.
 * @throws Error that names a limit; the reason of the signal
 */
export async function fileCoverage(
  files: readonly CoveredFile[],
  { folder, reportFolder, tag, read }: PlacedReport,
  sources: CoveredSources,
  signal: AbortSignal,
): Promise<MeasuredCoverage[]> {
  sources.files += files.length
  if (sources.files > MAX_FILES)
    throw new Error(`names more than ${MAX_FILES} files with those before it. Leave some out`)
  const coverage: MeasuredCoverage[] = []
  for (const { lines } of files) sources.lines += lines.size
  if (sources.lines > MAX_LINES)
    throw new Error(`names more than ${MAX_LINES} lines with those before it. Leave some out`)
  for (const file of files) {
    signal.throwIfAborted()
    const located = await locateFile(file, { root: folder, reportFolder }, read)
    sources.bytes += Buffer.byteLength(located.sourceCode)
    const sourceCode = sources.bytes > MAX_SOURCES_BYTES ? '' : located.sourceCode
    const { name, lines } = located
    const numbers = [...lines.keys()]
    const hit = new Set(numbers.flatMap((line, at) => (lines.get(line) ? [at] : [])))
    coverage.push({
      ...lineCoverage({ name, sourceCode }, numbers, hit),
      tags: [tag],
      reportFolder: located.reportFolder,
    })
  }
  return coverage
}

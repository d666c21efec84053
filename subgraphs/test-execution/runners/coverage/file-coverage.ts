import { sep } from 'node:path'
import { readInside } from '../steps/read-inside.ts'
import { type CodeCoverage, lineCoverage } from './line-coverage.ts'

/** Which executable lines of a file a tool ran. */
export interface CoveredFile {
  path: string
  /** Line, from 1 → whether it ran. */
  lines: ReadonlyMap<number, boolean>
}

/** Bytes of a source that is kept with its coverage. */
const MAX_SOURCE_BYTES = 256 * 1024
/** Of all reports of a step. */
const MAX_FILES = 10_000
const MAX_LINES = 200_000
/** Files beyond it are kept without their sources. */
const MAX_SOURCES_BYTES = 4 * 1024 * 1024

/** What the reports of one step have named so far. */
export interface CoveredSources {
  files: number
  lines: number
  bytes: number
}

/**
 * The same for results, with the source where it lies in the folder.
 * @param tag where it comes from
 * @throws Error that names a limit; the reason of the signal
 */
export async function fileCoverage(
  files: readonly CoveredFile[],
  { folder, tag }: { folder: string; tag: string },
  sources: CoveredSources,
  signal: AbortSignal,
): Promise<CodeCoverage[]> {
  sources.files += files.length
  if (sources.files > MAX_FILES)
    throw new Error(`names more than ${MAX_FILES} files with those before it. Leave some out`)
  const coverage: CodeCoverage[] = []
  for (const { lines } of files) sources.lines += lines.size
  if (sources.lines > MAX_LINES)
    throw new Error(`names more than ${MAX_LINES} lines with those before it. Leave some out`)
  for (const { path, lines } of files) {
    signal.throwIfAborted()
    const numbers = [...lines.keys()]
    const hit = new Set(numbers.flatMap((line, at) => (lines.get(line) ? [at] : [])))
    const found = sources.bytes < MAX_SOURCES_BYTES ? await sourceOf(folder, path) : ''
    sources.bytes += Buffer.byteLength(found)
    const sourceCode = sources.bytes > MAX_SOURCES_BYTES ? '' : found
    const name = path.startsWith(folder + sep) ? path.slice(folder.length + 1) : path
    coverage.push({ ...lineCoverage({ name, sourceCode }, numbers, hit), tags: [tag] })
  }
  return coverage
}

/** None where a report names files that were never here, or that are not its own. */
const sourceOf = (folder: string, path: string): Promise<string> =>
  readInside(folder, path, MAX_SOURCE_BYTES).catch(() => '')

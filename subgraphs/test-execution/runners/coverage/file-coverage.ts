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

/** The same for results, with the source where it lies in the folder. @param tag where it comes from */
export const fileCoverage = (
  files: readonly CoveredFile[],
  folder: string,
  tag: string,
): Promise<CodeCoverage[]> =>
  Promise.all(
    files.map(async ({ path, lines }) => {
      const numbers = [...lines.keys()]
      const hit = new Set(numbers.flatMap((line, at) => (lines.get(line) ? [at] : [])))
      const sourceCode = await sourceOf(folder, path)
      const name = path.startsWith(folder + sep) ? path.slice(folder.length + 1) : path
      return { ...lineCoverage({ name, sourceCode }, numbers, hit), tags: [tag] }
    }),
  )

/** None where a report names files that were never here, or that are not its own. */
const sourceOf = (folder: string, path: string): Promise<string> =>
  readInside(folder, path, MAX_SOURCE_BYTES).catch(() => '')

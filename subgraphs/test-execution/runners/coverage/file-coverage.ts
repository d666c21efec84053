import { readFile, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
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

async function sourceOf(folder: string, path: string): Promise<string> {
  const file = resolve(folder, path)
  if (!file.startsWith(folder + sep)) return ''
  try {
    return (await stat(file)).size > MAX_SOURCE_BYTES ? '' : await readFile(file, 'utf8')
  } catch {
    return '' // a report may name files that were never here
  }
}

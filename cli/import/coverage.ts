import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isHidden } from '../../formats/artifact-files/inside.ts'
import { COVERAGE_FORMATS, type CoverageFormat } from '../../formats/coverage/coverage-formats.ts'
import { locateFile } from '../../formats/coverage/locate-files.ts'
import { readCoverage } from '../../formats/coverage/read-coverage.ts'
import { usageError } from '../exit-codes.ts'
import { readText } from '../text-file.ts'

/** Bounds of the product for one source, and for all. */
const MAX_SOURCE_BYTES = 256 * 1024
const MAX_SOURCES_BYTES = 4 * 1024 * 1024

export const isCoverageFormat = (name: string): name is CoverageFormat =>
  COVERAGE_FORMATS.some((each) => each === name)

/** @param given `FORMAT=FILE` @throws CommandError for another form */
export function reportIn(given: string): { format: CoverageFormat; file: string } {
  const [, format = '', file = ''] = /^(\w+)=(.+)$/s.exec(given) ?? []
  if (isCoverageFormat(format)) return { format, file }
  throw usageError(
    `--coverage is ${given}: expected FORMAT=FILE, such as lcov=coverage/lcov.info, with ${COVERAGE_FORMATS.join(', ')}`,
  )
}

/**
 * Reads reports of coverage, and the files below the working folder that they name, as the interface takes them.
 * @throws CommandError for what is no such report; what the system says of a file
 */
export async function coverageOf(
  reports: readonly { format: CoverageFormat; file: string }[],
  { signal, folder: given = '.' }: { signal: AbortSignal; folder?: string },
) {
  const folder = await realpath(given)
  const sources = new Map<string, string>()
  let bytes = 0
  const read = async (path: string): Promise<string | null> => {
    const known = sources.get(path)
    if (known !== undefined) return known
    const text = await sourceAt(folder, path)
    if (text === null) return null
    bytes += Buffer.byteLength(text)
    sources.set(path, bytes > MAX_SOURCES_BYTES ? '' : text)
    return text
  }
  const coverage = []
  for (const { format, file } of reports) {
    const text = await readText(file, signal)
    // A report elsewhere keeps its whole path.
    const below = relative(folder, resolve(file))
    const path = (below.startsWith('..') ? resolve(file) : below).split(sep).join('/')
    const reportFolder = dirname(path) === '.' ? '' : dirname(path)
    for (const each of parsed(format, file, text).files)
      await locateFile(each, { root: folder, reportFolder }, read)
    coverage.push({ format, path, text })
  }
  return { coverage, folder, sources: [...sources].map(([path, text]) => ({ path, text })) }
}

function parsed(format: CoverageFormat, file: string, text: string) {
  try {
    return readCoverage(format, text)
  } catch (error) {
    throw usageError(
      `${file} is no ${format}: ${error instanceof Error ? error.message.slice(0, 160) : error}`,
    )
  }
}

/** Nothing hidden, and nothing that lies elsewhere: a report may come from others. */
async function sourceAt(folder: string, path: string): Promise<string | null> {
  if (isHidden(path)) return null
  try {
    const own = await realpath(join(folder, path))
    if (!own.startsWith(folder + sep) || isHidden(relative(folder, own))) return null
    const found = await stat(own)
    if (!found.isFile()) return null
    return found.size > MAX_SOURCE_BYTES ? '' : await readFile(own, 'utf8')
  } catch {
    return null // there is no such file
  }
}

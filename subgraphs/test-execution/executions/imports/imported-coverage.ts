import { posix } from 'node:path'
import { COVERAGE_FORMATS } from '../../../../formats/coverage/coverage-formats.ts'
import { oddRowsOf } from '../../../../formats/coverage/odd-rows.ts'
import { AppError, badInput } from '../../../../formats/errors.ts'
import { TimeBudget } from '../../../../platform/task-processes/task-processes.ts'
import { fileCoverage, MAX_SOURCE_BYTES } from '../../../../runner/coverage/file-coverage.ts'
import { type CodeCoverage, collectCoverage } from '../../../../runner/coverage/line-coverage.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import { sanitizeText } from '../../../../runner/run/mask.ts'
import { REPORTS_MS } from '../../../../runner/steps/command-reports.ts'
import type { ImportExecutionInput } from './import.type.ts'

export interface ImportedCoverage {
  codeCoverage: CodeCoverage[]
  /** Odd rows of the reports. */
  warnings: string[]
}

/** Reads reports of coverage as those of a step are read, over sources that came along. @throws AppError BAD_USER_INPUT that names the report */
export async function readCoverageOf(
  { coverage, folder, sources }: Pick<ImportExecutionInput, 'coverage' | 'folder' | 'sources'>,
  evaluation: Evaluation,
): Promise<ImportedCoverage> {
  const root = folder?.replace(/\/+$/, '') || '/'
  const texts = new Map(sources.map(({ path, text }) => [posix.normalize(path), text]))
  const read = async (path: string) => {
    const text = texts.get(path)
    return text === undefined ? null : text.length > MAX_SOURCE_BYTES ? '' : text
  }
  const budget = new TimeBudget('REPORTS_MS', REPORTS_MS)
  const named = { files: 0, lines: 0, bytes: 0 }
  const merged = collectCoverage(() => true)
  const warnings: string[] = []
  for (const [at, { format: given, path, text }] of coverage.entries()) {
    const format = COVERAGE_FORMATS.find((each) => each === given)
    if (!format)
      throw badInput(`coverage.${at}.format: expected ${COVERAGE_FORMATS.join(', ')}, not ${given}`)
    const refuse = (error: unknown): never => {
      if (error instanceof AppError) throw error
      const reason = error instanceof Error ? error.message : error
      throw badInput(`coverage.${at}: ${path} is no ${format}: ${reason}`)
    }
    const { coverage: report } = await evaluation
      .run('readReport', { format, text }, budget)
      .catch(refuse)
    if (!report) continue // of tests, which no format of coverage is
    const odd = oddRowsOf(path, report)
    if (odd !== null) warnings.push(odd)
    const own = posix.normalize(path)
    const below = own.startsWith(`${root}/`) ? own.slice(root.length + 1) : own
    const place = { folder: root, reportFolder: folderOf(below), tag: format, read }
    const { signal } = new AbortController()
    for (const each of await fileCoverage(report.files, place, named, signal).catch(refuse))
      merged.add({
        ...each,
        componentName: sanitizeText(each.componentName),
        sourceCode: sanitizeText(each.sourceCode),
      })
  }
  return { codeCoverage: merged.all(), warnings: warnings.map(sanitizeText) }
}

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '')

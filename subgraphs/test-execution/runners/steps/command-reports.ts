import { glob } from 'node:fs/promises'
import { Budget } from '../../../shared/task-processes/budget.ts'
import { fileCoverage } from '../coverage/file-coverage.ts'
import type { CodeCoverage } from '../coverage/line-coverage.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { ReportedCase } from '../reports/reported-case.ts'
import { RunError } from '../run-error.ts'
import { readInside } from './read-inside.ts'
import type { ReportFile } from './report-file.ts'

/** Bytes of one report. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024
/** For all reports of a step together. */
const REPORTS_MS = 30_000

/** @throws RunError REPORT_UNREADABLE */
export async function readReports(
  folder: string,
  files: readonly ReportFile[],
  evaluation: Evaluation,
): Promise<{ cases: ReportedCase[]; coverage: CodeCoverage[] }> {
  const budget = new Budget('REPORTS_MS', REPORTS_MS)
  const cases: ReportedCase[] = []
  const coverage: CodeCoverage[] = []
  for (const { format, path } of files) {
    const names: string[] = []
    for await (const name of glob(path, { cwd: folder })) names.push(name)
    if (names.length === 0) throw unreadable(path, 'is not there')
    for (const name of names.sort()) {
      const text = await readInside(folder, name, MAX_REPORT_BYTES).catch(({ message }: Error) => {
        throw unreadable(name, message)
      })
      try {
        const read = await evaluation.run('readReport', { format, text }, budget)
        coverage.push(...(await fileCoverage(read.files, folder, format)))
        for (const each of read.cases) cases.push(each)
      } catch (error) {
        throw unreadable(name, `is no ${format}: ${error instanceof Error ? error.message : error}`)
      }
    }
  }
  return { cases, coverage }
}

const unreadable = (path: string, fault: string) =>
  new RunError('REPORT_UNREADABLE', `The report ${path} ${fault}`)

import { glob } from 'node:fs/promises'
import { cobertura } from '../coverage/cobertura.ts'
import { type CoveredFile, fileCoverage } from '../coverage/file-coverage.ts'
import { istanbul } from '../coverage/istanbul.ts'
import { lcov } from '../coverage/lcov.ts'
import type { CodeCoverage } from '../coverage/line-coverage.ts'
import { readJunit } from '../reports/read-junit.ts'
import { RunError } from '../run-error.ts'
import { readInside } from './read-inside.ts'
import type { ReportFile, ReportFormat } from './report-file.ts'
import type { ReportedCase } from './step-kind.ts'

/** Which lines of which files a tool ran, by the format of its report. @throws Error for what is none */
const COVERAGE_FORMATS: Readonly<Record<ReportFormat, ((text: string) => CoveredFile[]) | null>> = {
  junit: null,
  lcov,
  cobertura,
  istanbul,
}

/** Bytes of one report. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024

/** @throws RunError REPORT_UNREADABLE */
export async function readReports(
  folder: string,
  files: readonly ReportFile[],
): Promise<{ cases: ReportedCase[]; coverage: CodeCoverage[] }> {
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
        const covered = COVERAGE_FORMATS[format]
        if (covered) coverage.push(...(await fileCoverage(covered(text), folder, format)))
        else cases.push(...readJunit(text))
      } catch (error) {
        throw unreadable(name, `is no ${format}: ${error instanceof Error ? error.message : error}`)
      }
    }
  }
  return { cases, coverage }
}

const unreadable = (path: string, fault: string) =>
  new RunError('REPORT_UNREADABLE', `The report ${path} ${fault}`)

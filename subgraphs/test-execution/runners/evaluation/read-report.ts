import { cobertura } from '../coverage/cobertura.ts'
import type { CoveredFile } from '../coverage/file-coverage.ts'
import { istanbul } from '../coverage/istanbul.ts'
import { lcov } from '../coverage/lcov.ts'
import { readJunit } from '../reports/read-junit.ts'
import type { ReportFormat } from '../steps/report-file.ts'
import type { ReadReport } from './tasks.ts'

/** Which lines of which files a tool ran, by the format of its report. @throws Error unless the text is one */
const COVERAGE_FORMATS: Readonly<Record<ReportFormat, ((text: string) => CoveredFile[]) | null>> = {
  junit: null,
  lcov,
  cobertura,
  istanbul,
}

/** @throws Error unless the text is a report of the format */
export function readReport({ format, text }: { format: ReportFormat; text: string }): ReadReport {
  const covered = COVERAGE_FORMATS[format]
  return covered ? { cases: [], files: covered(text) } : { cases: readJunit(text), files: [] }
}

import { readCoverage } from '../../formats/coverage/read-coverage.ts'
import { readJunit } from '../reports/read-junit.ts'
import type { ReportFormat } from '../steps/report-file.ts'
import type { ReadReport } from './tasks.ts'

/** @throws Error unless the text is a report of the format */
export const readReport = ({ format, text }: { format: ReportFormat; text: string }): ReadReport =>
  format === 'junit'
    ? { ...readJunit(text), coverage: null }
    : { cases: [], warnings: [], coverage: readCoverage(format, text) }

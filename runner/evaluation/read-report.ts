import { readCoverage } from '../../formats/coverage/read-coverage.ts'
import { readJunit } from '../reports/read-junit.ts'
import type { ReadReport, WrittenReport } from './tasks.ts'

/** @throws Error unless the text is a report of the format */
export const readReport = ({ format, text, ...options }: WrittenReport): ReadReport =>
  format === 'junit'
    ? { ...readJunit(text, options), coverage: null }
    : { cases: [], warnings: [], coverage: readCoverage(format, text) }

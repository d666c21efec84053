import { clover } from './clover.ts'
import { cobertura } from './cobertura.ts'
import type { CoverageReport } from './collect-lines.ts'
import type { CoverageFormat } from './coverage-formats.ts'
import { istanbul } from './istanbul.ts'
import { jacoco } from './jacoco.ts'
import { lcov } from './lcov.ts'

const READERS: Readonly<Record<CoverageFormat, (text: string) => CoverageReport>> = {
  lcov,
  cobertura,
  istanbul,
  clover,
  jacoco,
}

/** @throws Error unless the text is a report of the format */
export const readCoverage = (format: CoverageFormat, text: string): CoverageReport =>
  READERS[format](text)

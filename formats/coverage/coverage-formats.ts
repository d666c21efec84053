/** Formats of coverage that are read. */
export const COVERAGE_FORMATS = ['lcov', 'cobertura', 'istanbul', 'clover', 'jacoco'] as const

export type CoverageFormat = (typeof COVERAGE_FORMATS)[number]

import { createInstrumenter } from 'istanbul-lib-instrument'
import type { RawSourceMap } from './source-position.ts'

/** Global in which an instrumented module finds its counters: one that the harness takes away at once. */
export const COVERAGE_VARIABLE = '__component_coverage__'
/** Absolute, so that no folder of this machine gets in front of it. */
const FILE_NAME = '/component'

const OPTIONS = {
  esModules: true,
  compact: false,
  produceSourceMap: true,
  coverageVariable: COVERAGE_VARIABLE,
  coverageGlobalScope: 'globalThis',
  coverageGlobalScopeFunc: false,
}

export interface InstrumentedSource {
  code: string
  map: RawSourceMap | null
  /** The first line of each executable statement, by its number. */
  statementLines: number[]
}

/**
 * Adds counters to every executable statement. TypeScript is counted before its types go, so the lines are the user's.
 * @throws SyntaxError of the parser, with `loc`
 */
export function instrument(source: string, typescript: boolean): InstrumentedSource {
  const options = { ...OPTIONS, parserPlugins: typescript ? ['typescript'] : [] }
  const instrumenter = createInstrumenter(options)
  const code = instrumenter.instrumentSync(source, FILE_NAME)
  const statements = Object.values(instrumenter.lastFileCoverage().statementMap)
  return {
    code,
    map: instrumenter.lastSourceMap() ?? null,
    statementLines: statements.map(({ start }) => start.line),
  }
}

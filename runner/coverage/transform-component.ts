import { RunError } from '../run/error.ts'
import { COVERAGE_VARIABLE, instrument } from './instrument.ts'
import type { RawSourceMap } from './source-position.ts'
import { stripTypes } from './strip-types.ts'

export interface ComponentSource {
  name: string
  language: 'JAVASCRIPT' | 'TYPESCRIPT'
  sourceCode: string
}

/** JavaScript of a component as plain data; `compileComponent` makes use of it. */
export interface TransformedComponent {
  /** With counters when coverage is wanted. */
  code: string
  coverageVariable: string
  statementLines: number[]
  /** From `code` back to the source, the last transformation first. */
  maps: RawSourceMap[]
}

export interface Transformation {
  component: ComponentSource
  useCodeCoverage: boolean
}

/** Parses, counts and strips a component. @throws RunError SYNTAX_ERROR that names the line */
export async function transformComponent({
  component: { name, language, sourceCode },
  useCodeCoverage,
}: Transformation): Promise<TransformedComponent> {
  const typescript = language === 'TYPESCRIPT'
  // A map that the source brings along would be followed; lines are counted in the text the user sees.
  const source = sourceCode.replaceAll('sourceMappingURL=', 'sourceMappingURL:')
  try {
    const counted = instrument(source, typescript)
    const plain = { code: source, map: null }
    const { code, map } = useCodeCoverage ? counted : plain
    const stripped = typescript ? await stripTypes(code) : { code, map: null }
    return {
      code: stripped.code,
      coverageVariable: COVERAGE_VARIABLE,
      statementLines: useCodeCoverage ? counted.statementLines : [],
      // Without what the libraries add to them: they are copied between processes.
      maps: [stripped.map, map]
        .filter((each) => each !== null)
        .map(({ mappings, sources = ['component'], names = [] }) => ({ mappings, sources, names })),
    }
  } catch (error) {
    throw new RunError('SYNTAX_ERROR', `${name} cannot be compiled: ${syntaxFault(error)}`)
  }
}

/** The parser's first line, without its file name; where it stood, in the words of every other message. */
function syntaxFault(error: unknown): string {
  const { message, loc } = error as { message: string; loc?: { line: number } } // the libraries throw errors
  const fault = message.split('\n', 1)[0] ?? ''
  const what = fault.replace(/^\/component: /, '').replace(/ \(\d+:\d+\):?$/, '')
  return loc ? `${what} (line ${loc.line})` : what
}

import { createHash } from 'node:crypto'
import { RunError } from '../run-error.ts'
import { createLineFinder } from './source-position.ts'
import { stripTypes } from './strip-types.ts'

export interface ComponentSource {
  name: string
  language: 'JAVASCRIPT' | 'TYPESCRIPT'
  sourceCode: string
}

/** A component ready to run. */
export interface CompiledComponent {
  /** JavaScript, with counters when coverage is wanted. */
  code: string
  coverageVariable: string
  statementLines: readonly number[]
  /** The user's line of a position in `code`, both counted from 1. */
  lineOf(line: number, column: number): number | null
}

const CACHED_COMPONENTS = 50
/** Compiling costs more than running a small component, and the same few sources run again and again. */
const cache = new Map<string, CompiledComponent>()

/** @throws RunError SYNTAX_ERROR that names the line */
export async function compileComponent(
  component: ComponentSource,
  useCodeCoverage: boolean,
): Promise<CompiledComponent> {
  const { language, sourceCode } = component
  const key = createHash('sha256')
    .update(`${language} ${useCodeCoverage} ${sourceCode}`)
    .digest('hex')
  const compiled = cache.get(key) ?? (await compile(component, useCodeCoverage))
  cache.delete(key)
  cache.set(key, compiled)
  const [oldest] = cache.keys()
  if (cache.size > CACHED_COMPONENTS && oldest !== undefined) cache.delete(oldest)
  return compiled
}

async function compile(
  { name, language, sourceCode }: ComponentSource,
  useCodeCoverage: boolean,
): Promise<CompiledComponent> {
  // Loaded by the first who needs it: the parser takes its time and memory, and a process may never run a component.
  const { COVERAGE_VARIABLE, instrument } = await import('./instrument.ts')
  const typescript = language === 'TYPESCRIPT'
  // A map that the source brings along would be followed; lines are counted in the text the user sees.
  const source = sourceCode.replaceAll('sourceMappingURL=', 'sourceMappingURL:')
  try {
    const counted = instrument(source, typescript)
    const plain = { code: source, map: null }
    const { code, map } = useCodeCoverage ? counted : plain
    const stripped = typescript ? await stripTypes(code) : { code, map: null }
    const maps = [stripped.map, map].filter((each) => each !== null)
    return {
      code: stripped.code,
      coverageVariable: COVERAGE_VARIABLE,
      statementLines: useCodeCoverage ? counted.statementLines : [],
      lineOf: createLineFinder(maps),
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

import { createHash } from 'node:crypto'
import { TimeBudget } from '../../platform/task-processes/task-processes.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import { createLineFinder } from './source-position.ts'
import type { ComponentSource, TransformedComponent } from './transform-component.ts'

export type { ComponentSource } from './transform-component.ts'

/** A component ready to run. */
export interface CompiledComponent extends Omit<TransformedComponent, 'maps'> {
  /** The user's line of a position in `code`, both counted from 1. */
  lineOf(line: number, column: number): number | null
}

const CACHED_COMPONENTS = 50
/** Processor time. */
const COMPILE_MS = 10_000
/** Compiling costs more than running a small component, and the same few sources run again and again. */
const cache = new Map<string, CompiledComponent>()

/** @throws RunError SYNTAX_ERROR that names the line, MESSAGE_LIMIT; the reason of the signal */
export async function compileComponent(
  component: ComponentSource,
  useCodeCoverage: boolean,
  evaluation: Evaluation,
  signal?: AbortSignal,
): Promise<CompiledComponent> {
  const { language, sourceCode } = component
  const key = createHash('sha256')
    .update(`${language} ${useCodeCoverage} ${sourceCode}`)
    .digest('hex')
  const compiled = cache.get(key) ?? (await compile(component, useCodeCoverage, evaluation, signal))
  cache.delete(key)
  cache.set(key, compiled)
  const [oldest] = cache.keys()
  if (cache.size > CACHED_COMPONENTS && oldest !== undefined) cache.delete(oldest)
  return compiled
}

async function compile(
  component: ComponentSource,
  useCodeCoverage: boolean,
  evaluation: Evaluation,
  signal?: AbortSignal,
): Promise<CompiledComponent> {
  const transformation = { component, useCodeCoverage }
  const budget = new TimeBudget('COMPILE_MS', COMPILE_MS)
  const { maps, ...compiled } = await evaluation.run('transform', transformation, budget, signal)
  // Few components throw, and a map takes its time to read.
  let find: ReturnType<typeof createLineFinder> | undefined
  return {
    ...compiled,
    lineOf(line, column) {
      find ??= createLineFinder(maps)
      return find(line, column)
    },
  }
}

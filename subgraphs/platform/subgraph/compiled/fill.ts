import type { Path } from 'graphql/jsutils/Path.js'
import { isPromise, type Run } from './run.ts'

/** One field of a selection, of a known type. */
export interface CompiledField {
  key: string
  /** What it reads of its object, unless a resolver has to be called. */
  property?: string
  /** @param value of the property */
  run(run: Run, source: unknown, parent: Path | undefined, value?: unknown): unknown
  /** What it is where its property cannot be read. */
  fail(run: Run, raw: unknown, parent: Path | undefined): null
}

/**
 * Gives the object of a response its fields.
 * @returns whether some of them are still promises @throws what an error makes of a field that may not be null; TOO_LARGE
 */
export type Fill = (
  run: Run,
  source: unknown,
  results: Record<string, unknown>,
  path: Path | undefined,
) => boolean

export const compileFill =
  (fields: readonly CompiledField[]): Fill =>
  (run, source, results, path) => {
    const own = isObjectLike(source) ? source : NOTHING
    let isAsync = false
    for (const { key, property, run: runField, fail } of fields) {
      let value: unknown
      try {
        value = runField(run, source, path, property === undefined ? undefined : own[property])
      } catch (raw) {
        value = fail(run, raw, path)
      }
      if (isPromise(value)) isAsync = true
      results[key] = value
    }
    return isAsync
  }

/** What has properties, as graphql-js has it. */
const isObjectLike = (source: unknown): source is Record<string, unknown> =>
  (typeof source === 'object' && source !== null) || typeof source === 'function'

const NOTHING: Record<string, unknown> = Object.freeze(Object.create(null))

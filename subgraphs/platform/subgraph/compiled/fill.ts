import type { GraphQLOutputType } from 'graphql'
import type { Path } from 'graphql/jsutils/Path.js'
import { functionOf, nameCode, plainTest, withCode } from '../object-code.ts'
import { count, isPromise, type Run } from './run.ts'

/** One field of a selection, of a known type. */
export interface CompiledField {
  key: string
  type: GraphQLOutputType
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

export const compileFill = (fields: readonly CompiledField[]): { run: Fill } =>
  withCode(fields, fillInLoop(fields), () => fillByCode(fields))

const fillInLoop =
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

const fillByCode = (fields: readonly CompiledField[]): Fill =>
  functionOf(
    { fields, isObjectLike, NOTHING, isPromise, count },
    `return (run, source, results, path) => {
      const own = isObjectLike(source) ? source : NOTHING
      let characters = 0, isAsync = false, value
      ${fields.map(fieldCode).join('\n')}
      count(run, characters)
      return isAsync
    }`,
  )

/** Of a property, a plain value is taken at once; it may have a getter, which runs once and may throw. */
function fieldCode({ key, property, type }: CompiledField, at: number): string {
  const store = `results[${nameCode(key)}] = value`
  const asked = (more: string) =>
    `value = fields[${at}].run(run, source, path${more}); if (isPromise(value)) isAsync = true`
  if (property === undefined) return `${asked('')}\n${store}`
  const test = plainTest(type)
  const noted = test.includes('"string"') ? 'characters += value.length' : ';'
  return `try {
      value = own[${nameCode(property)}]
      if (${test}) ${noted}
      else { ${asked(', value')} }
    } catch (raw) { value = fields[${at}].fail(run, raw, path) }
    ${store}`
}

/** What has properties, as graphql-js has it. */
const isObjectLike = (source: unknown): source is Record<string, unknown> =>
  (typeof source === 'object' && source !== null) || typeof source === 'function'

const NOTHING: Record<string, unknown> = Object.freeze(Object.create(null))

import type { FetchDataKeyRenamer } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { getOwn, isObject, type Json, setOwn } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { eachAt, type Path, type PlanPath } from './response-path.ts'
import { isOfType } from './rewrites.ts'

const UP = '..'
const TYPE_CONDITION = '... on '

/** Objects for which arguments take the same values from the objects above them. */
export interface Contextual {
  targets: Json[]
  /** Variable → value. One that no object above has is absent. */
  values: Json
}

/** Groups the objects at some paths by the values that `@fromContext` gives arguments there. */
export function byContext(
  run: Pick<PlanRun, 'schema' | 'data'>,
  paths: readonly PlanPath[],
  rewrites: readonly FetchDataKeyRenamer[],
): Contextual[] {
  const groups = new Map<string, Contextual>()
  for (const path of paths)
    eachAt(run.data, path, (target, position) => {
      const values = valuesAbove(run, position, rewrites)
      const key = JSON.stringify(values)
      const group = groups.get(key) ?? { targets: [], values }
      groups.set(key, group)
      group.targets.push(target)
    })
  return [...groups.values()]
}

/** Several rewrites name one variable where several types set the context: the first with a value counts. */
function valuesAbove(
  { schema, data }: Pick<PlanRun, 'schema' | 'data'>,
  position: Path,
  rewrites: readonly FetchDataKeyRenamer[],
): Json {
  const objects: unknown[] = [data]
  let at: unknown = data
  for (const step of position) {
    at = (at as Json)[step] // objects and lists alike, on the way to an object that was found
    if (!Array.isArray(at)) objects.push(at)
  }
  const values: Json = {}
  for (const { path, renameKeyTo } of rewrites) {
    if (Object.hasOwn(values, renameKeyTo)) continue
    const levels = path.lastIndexOf(UP) + 1
    const value = valueBelow(schema, objects.at(-1 - levels), path.slice(levels))
    if (value !== undefined) setOwn(values, renameKeyTo, value)
  }
  return values
}

function valueBelow(
  schema: GraphQLSchema,
  value: unknown,
  [step, ...rest]: readonly string[],
): unknown {
  if (step === undefined) return value
  if (Array.isArray(value)) return value.map((item) => valueBelow(schema, item, [step, ...rest]))
  if (value === null) return null
  if (!isObject(value)) return undefined
  if (!step.startsWith(TYPE_CONDITION)) return valueBelow(schema, getOwn(value, step), rest)
  const isMeant = isOfType(schema, getOwn(value, '__typename'), step.slice(TYPE_CONDITION.length))
  return isMeant === false ? undefined : valueBelow(schema, value, rest)
}

import type { FetchDataRewrite } from '@apollo/query-planner'
import { type GraphQLSchema, isAbstractType, isInterfaceType, isObjectType } from 'graphql'
import { getOwn, isObject, type Json, setOwn } from './own.ts'

const TYPE_CONDITION = '... on '

/** True if an object with this `__typename` is of a type; undefined if it has no name. */
export function isOfType(
  schema: GraphQLSchema,
  name: unknown,
  typeName: string,
): boolean | undefined {
  if (typeof name !== 'string') return undefined
  if (name === typeName) return true
  const type = schema.getType(name)
  const condition = schema.getType(typeName)
  return (
    (isObjectType(type) || isInterfaceType(type)) &&
    isAbstractType(condition) &&
    schema.isSubType(condition, type)
  )
}

/**
 * Applies what the planner prescribes to a representation or an answer: set a value, or rename a key.
 * @param typeName the type of `value` if it has no `__typename`
 */
export function applyRewrites(
  schema: GraphQLSchema,
  rewrites: readonly FetchDataRewrite[],
  value: unknown,
  typeName?: unknown,
): void {
  for (const rewrite of rewrites) applyAt({ schema, rewrite }, 0, value, typeName)
}

/**
 * True if the rewrites turn objects of other types into the interface object that this type belongs to, but not this
 * one. The planner has no key for it then, and the subgraph knows no type of its name.
 */
export function isPassedOver(
  schema: GraphQLSchema,
  rewrites: readonly FetchDataRewrite[],
  representation: Json,
): boolean {
  const name = getOwn(representation, '__typename')
  return rewrites.some(
    (rewrite) =>
      rewrite.kind === 'ValueSetter' &&
      rewrite.path.at(-1) === '__typename' &&
      rewrite.setValueTo !== name &&
      isOfType(schema, name, String(rewrite.setValueTo)) === true,
  )
}

interface Applied {
  schema: GraphQLSchema
  rewrite: FetchDataRewrite
}

function applyAt(applied: Applied, depth: number, value: unknown, typeName?: unknown): void {
  const { schema, rewrite } = applied
  if (Array.isArray(value)) for (const item of value) applyAt(applied, depth, item)
  if (!isObject(value)) return
  const step = rewrite.path[depth]
  if (step === undefined) return
  if (step.startsWith(TYPE_CONDITION)) {
    const name = getOwn(value, '__typename') ?? typeName
    if (isOfType(schema, name, step.slice(TYPE_CONDITION.length)) !== false)
      applyAt(applied, depth + 1, value, typeName)
  } else if (depth < rewrite.path.length - 1) {
    applyAt(applied, depth + 1, getOwn(value, step))
  } else if (rewrite.kind === 'ValueSetter') {
    setOwn(value, step, rewrite.setValueTo)
  } else {
    const renamed = getOwn(value, step)
    if (renamed === undefined) return
    delete value[step]
    setOwn(value, rewrite.renameKeyTo, renamed)
  }
}

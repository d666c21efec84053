import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { type CostTable, getOwn, isObject, type Json } from '../federation/index.ts'
import { MUTATION, weightOf } from './cost.ts'

/** A selected field, and what one value of it costs. */
interface Priced {
  key: string
  weight: number
  below: readonly Priced[]
}

/**
 * Compiles what a response has cost, by the weights of `@cost`: of each field as many times as it is there. Arguments cost
 * nothing here. Selections for other types than an object has find nothing in it.
 */
export function compileActualCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  table: CostTable,
): (data: Json | null | undefined) => number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition)

  const priced = (
    set: SelectionSetNode | undefined,
    type: GraphQLNamedType | undefined,
  ): Priced[] =>
    (set?.selections ?? []).flatMap((node): Priced[] => {
      if (node.kind !== Kind.FIELD) {
        const { typeCondition, selectionSet } =
          node.kind === Kind.INLINE_FRAGMENT ? node : (fragments.get(node.name.value) ?? {})
        return priced(selectionSet, typeCondition ? schema.getType(typeCondition.name.value) : type)
      }
      const hasFields = isObjectType(type) || isInterfaceType(type)
      const field = hasFields ? type.getFields()[node.name.value] : undefined
      if (!field || !type) return []
      const named = getNamedType(field.type)
      const weight = weightOf(table, `${type.name}.${field.name}`, named)
      const below = priced(node.selectionSet, named)
      return [{ key: (node.alias ?? node.name).value, weight, below }]
    })

  const root = schema.getRootType(operation.operation) ?? undefined
  const fields = onceEach(priced(operation.selectionSet, root))
  const base = operation.operation === 'mutation' ? MUTATION : 0
  return (data) => {
    if (!data) return 0
    const calls = base === 0 ? 0 : fields.filter(({ key }) => getOwn(data, key) != null).length
    return base * calls + costOf(fields, data)
  }
}

/** Fields of one response key are one field. */
function onceEach(fields: readonly Priced[]): Priced[] {
  const byKey = new Map<string, Priced[]>()
  for (const field of fields) byKey.set(field.key, [...(byKey.get(field.key) ?? []), field])
  return [...byKey.values()].map((same) => ({
    key: same[0]?.key ?? '',
    weight: Math.max(...same.map(({ weight }) => weight)),
    below: onceEach(same.flatMap(({ below }) => below)),
  }))
}

function costOf(fields: readonly Priced[], value: Json): number {
  let cost = 0
  for (const field of fields) cost += costOfValue(field, getOwn(value, field.key))
  return cost
}

function costOfValue(field: Priced, value: unknown): number {
  if (value == null) return 0
  if (!Array.isArray(value))
    return field.weight + (isObject(value) ? costOf(field.below, value) : 0)
  let cost = 0
  for (const item of value) cost += costOfValue(field, item)
  return cost
}

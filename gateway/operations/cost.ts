import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { getOwn, type Json } from '../federation/index.ts'

/** Cost of a mutation besides that of its result. */
const MUTATION = 10

/** Items that a list is taken to have: a page whose size is not asked for, and a list without pages. */
const ASSUMED = { page: 50, list: 10 }

/** Arguments that bound a list, or the lists of the connection that a field returns. */
const PAGE_SIZES: ReadonlySet<string> = new Set(['first', 'last', 'limit'])

/** The argument that names the items of a list. */
const IDS = 'ids'

/**
 * Compiles how much an operation costs at most, before anything of it runs: an object costs 1, a list as much as all its
 * items, a mutation 10 besides, a single value nothing. How many items a list has is read from the arguments that bound
 * it or name them, otherwise assumed. Introspection costs nothing: it reaches no subgraph, and has a limit of its own.
 * @returns the cost with certain variables, as the client sent them
 */
export function compileCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Json) => number {
  const root = schema.getRootType(operation.operation)
  const mutation = schema.getMutationType()
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition)
  const defaults = new Map(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue,
    ]),
  )
  let dependsOnVariables = false

  function sizeOf(value: ValueNode | undefined, variables: Json): number | undefined {
    if (value?.kind === Kind.INT) return Math.max(0, Number(value.value))
    if (value?.kind !== Kind.VARIABLE) return undefined
    dependsOnVariables = true
    const given = getOwn(variables, value.name.value)
    if (typeof given === 'number') return Math.max(0, given)
    return given === undefined ? sizeOf(defaults.get(value.name.value), variables) : undefined
  }

  /** Number of ids that a field is given; none where it takes no list of them. */
  function idsOf(
    { args }: GraphQLField<unknown, unknown>,
    node: FieldNode,
    variables: Json,
  ): number | undefined {
    if (!args.some(({ name, type }) => name === IDS && isListType(getNullableType(type))))
      return undefined
    return lengthOf(node.arguments?.find(({ name }) => name.value === IDS)?.value, variables)
  }

  function lengthOf(value: ValueNode | undefined, variables: Json): number | undefined {
    if (value?.kind === Kind.LIST) return value.values.length
    if (value?.kind !== Kind.VARIABLE) return undefined
    dependsOnVariables = true
    const given = getOwn(variables, value.name.value)
    if (Array.isArray(given)) return given.length
    return given === undefined ? lengthOf(defaults.get(value.name.value), variables) : undefined
  }

  /** The size that the arguments of a field ask for; none where it has no such arguments. */
  function pageSizeOf(
    { args }: GraphQLField<unknown, unknown>,
    node: FieldNode,
    variables: Json,
  ): number | undefined {
    const paging = args.filter(
      ({ name, type }) => PAGE_SIZES.has(name) && getNullableType(type) === GraphQLInt,
    )
    if (paging.length === 0) return undefined
    const sizes = paging.flatMap(({ name, defaultValue }) => {
      const given = node.arguments?.find((argument) => argument.name.value === name)?.value
      return (given ? sizeOf(given, variables) : (defaultValue as number | undefined)) ?? []
    })
    return sizes.length > 0 ? Math.max(...sizes) : ASSUMED.page
  }

  /** @param pageSize items in each list right here, where the field above has said so */
  function costOf(
    set: SelectionSetNode | undefined,
    type: GraphQLNamedType,
    pageSize: number | undefined,
    variables: Json,
  ): number {
    let cost = 0
    const fragmentCosts: FragmentCost[] = []
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) {
        if (type === mutation) cost += MUTATION
        const field =
          isObjectType(type) || isInterfaceType(type)
            ? type.getFields()[node.name.value]
            : undefined
        if (!field || isLeafType(getNamedType(field.type))) continue
        const own = pageSizeOf(field, node, variables)
        const isList = isListType(getNullableType(field.type))
        const ids = isList ? idsOf(field, node, variables) : undefined
        const items = isList ? (ids ?? own ?? pageSize ?? ASSUMED.list) : 1
        const below = isList ? undefined : own
        cost += items * (1 + costOf(node.selectionSet, getNamedType(field.type), below, variables))
      } else {
        const { typeCondition, selectionSet } =
          node.kind === Kind.INLINE_FRAGMENT ? node : (fragments.get(node.name.value) ?? {})
        const conditionType = (typeCondition && schema.getType(typeCondition.name.value)) || type
        fragmentCosts.push({
          type: conditionType,
          cost: costOf(selectionSet, conditionType, pageSize, variables),
        })
      }
    }
    return cost + most(schema, type, fragmentCosts)
  }

  const costWith = (variables: Json): number =>
    root ? costOf(operation.selectionSet, root, undefined, variables) : 0
  const constant = costWith({})
  return dependsOnVariables ? costWith : () => constant
}

/** Cost of a fragment for an object of a type. */
interface FragmentCost {
  type: GraphQLNamedType
  cost: number
}

/** Cost of fragments together: an object meets none of those for other types. */
function most(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  fragments: readonly FragmentCost[],
): number {
  const sum = (met: readonly FragmentCost[]) => met.reduce((total, { cost }) => total + cost, 0)
  if (!isAbstractType(type) || fragments.length < 2) return sum(fragments)
  const costs = schema
    .getPossibleTypes(type)
    .map((possible) =>
      sum(
        fragments.filter(
          ({ type: wanted }) =>
            wanted === possible || (isAbstractType(wanted) && schema.isSubType(wanted, possible)),
        ),
      ),
    )
  return Math.max(0, ...costs)
}

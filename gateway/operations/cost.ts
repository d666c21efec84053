import {
  BREAK,
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
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { type CostTable, getOwn, isObject, type Json, type ListSize } from '../federation/index.ts'

/** Cost of a mutation besides that of its result. */
export const MUTATION = 10

/** Items that a list is taken to have: a page whose size is not asked for, and a list without pages. */
const ASSUMED = { page: 50, list: 10 }

/** Arguments that bound a list, or the lists of the connection that a field returns. */
const PAGE_SIZES: ReadonlySet<string> = new Set(['first', 'last', 'limit'])

/** The argument that names the items of a list. */
const IDS = 'ids'

/**
 * Compiles how much an operation costs at most, before anything of it runs: an object costs 1, a list as much as all its
 * items, a mutation 10 besides, a single value nothing. How many items a list has is read from the arguments that bound
 * it or name them, otherwise assumed. What `@cost` and `@listSize` say counts more. Introspection costs nothing: it
 * reaches no subgraph, and has a limit of its own.
 * @param table what these directives say
 * @returns the cost with certain variables, as the client sent them
 */
export function compileCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  table: CostTable = NO_DIRECTIVES,
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
  const weighsInputs = table.weights.size > 0

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

  /** The size by `@listSize`: that of the largest slicing argument, else the assumed one. */
  function directedSize(
    { slicingArguments = [], assumedSize }: ListSize,
    { args }: GraphQLField<unknown, unknown>,
    node: FieldNode,
    variables: Json,
  ): number | undefined {
    const sizes = slicingArguments.flatMap((path) => {
      const isGiven = node.arguments?.some(({ name }) => name.value === path.split('.')[0])
      if (isGiven) return sizeAt(path.split('.'), node, variables) ?? []
      const standard = args.find(({ name }) => name === path)?.defaultValue
      return typeof standard === 'number' ? standard : []
    })
    return sizes.length > 0 ? Math.max(...sizes) : assumedSize
  }

  function sizeAt([first, ...path]: readonly string[], node: FieldNode, variables: Json) {
    let value = node.arguments?.find(({ name }) => name.value === first)?.value
    for (const [index, key] of path.entries()) {
      if (value?.kind === Kind.VARIABLE) {
        dependsOnVariables = true
        let given = getOwn(variables, value.name.value)
        for (const step of path.slice(index))
          given = isObject(given) ? getOwn(given, step) : undefined
        return typeof given === 'number' ? Math.max(0, given) : undefined
      }
      if (value?.kind !== Kind.OBJECT) return undefined
      value = value.fields.find(({ name }) => name.value === key)?.value
    }
    return sizeOf(value, variables)
  }

  /** Cost by `@cost` of the given arguments, and of the fields of input objects in them. */
  function argumentsCost(
    place: string,
    { args }: GraphQLField<unknown, unknown>,
    node: FieldNode,
    variables: Json,
  ): number {
    if (!weighsInputs) return 0
    let cost = 0
    for (const { name, value } of node.arguments ?? []) {
      cost += table.weights.get(`${place}(${name.value})`) ?? 0
      const type = args.find((argument) => argument.name === name.value)?.type
      if (type) cost += inputCost(getNamedType(type), valueWith(value, variables))
    }
    return cost
  }

  function valueWith(value: ValueNode, variables: Json): unknown {
    if (visitsVariable(value)) dependsOnVariables = true
    return valueFromASTUntyped(value, variables)
  }

  function inputCost(type: GraphQLNamedType, value: unknown): number {
    if (Array.isArray(value))
      return value.reduce<number>((sum, item) => sum + inputCost(type, item), 0)
    if (!isInputObjectType(type) || !isObject(value)) return 0
    let cost = 0
    for (const { name, type: inner } of Object.values(type.getFields())) {
      const given = getOwn(value, name)
      if (given === undefined) continue
      cost +=
        (table.weights.get(`${type.name}.${name}`) ?? 0) + inputCost(getNamedType(inner), given)
    }
    return cost
  }

  /** @param pageSize items in each list right here, where the field above has said so @param sizes those of certain fields */
  function costOf(
    set: SelectionSetNode | undefined,
    type: GraphQLNamedType,
    pageSize: number | undefined,
    variables: Json,
    sizes?: ReadonlyMap<string, number>,
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
        if (!field) continue
        const place = `${type.name}.${field.name}`
        cost += argumentsCost(place, field, node, variables)
        const named = getNamedType(field.type)
        const weight = weightOf(table, place, named)
        if (weight === 0 && isLeafType(named)) continue
        const listSize = table.listSizes.get(place)
        const own = listSize
          ? directedSize(listSize, field, node, variables)
          : pageSizeOf(field, node, variables)
        const isList = isListType(getNullableType(field.type))
        const ids = isList ? idsOf(field, node, variables) : undefined
        const sized = sizes?.get(field.name) ?? pageSize
        const items = isList ? (ids ?? own ?? sized ?? ASSUMED.list) : 1
        const names = listSize?.sizedFields
        const below = isList || names ? undefined : own
        const inSized =
          names && own !== undefined ? new Map(names.map((name) => [name, own])) : undefined
        cost += items * (weight + costOf(node.selectionSet, named, below, variables, inSized))
      } else {
        const { typeCondition, selectionSet } =
          node.kind === Kind.INLINE_FRAGMENT ? node : (fragments.get(node.name.value) ?? {})
        const conditionType = (typeCondition && schema.getType(typeCondition.name.value)) || type
        fragmentCosts.push({
          type: conditionType,
          cost: costOf(selectionSet, conditionType, pageSize, variables, sizes),
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

export const NO_DIRECTIVES: CostTable = { weights: new Map(), listSizes: new Map() }

/** Weight of a field, else of its type: 1 for an object, nothing for a single value. */
export const weightOf = ({ weights }: CostTable, place: string, type: GraphQLNamedType): number =>
  weights.get(place) ?? weights.get(type.name) ?? (isLeafType(type) ? 0 : 1)

function visitsVariable(value: ValueNode): boolean {
  let found = false
  visit(value, {
    Variable() {
      found = true
      return BREAK
    },
  })
  return found
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

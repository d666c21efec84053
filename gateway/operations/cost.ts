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
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { type CostTable, getOwn, isObject, type Json, type ListSize } from '../federation/index.ts'
import { GivenValues } from './given-values.ts'

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
  if (!root) return () => 0
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )
  const costing = new Costing(schema, fragments, table)
  const costWith = (given: GivenValues) =>
    costing.costOf(operation.selectionSet, root, undefined, given)
  const none = new GivenValues(operation, {})
  const constant = costWith(none)
  return none.wereAsked
    ? (variables) => costWith(new GivenValues(operation, variables))
    : () => constant
}

/** Costs of the selections of one document. */
class Costing {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly table: CostTable,
  ) {}

  /** @param pageSize items in each list right here, where the field above has said so @param sizes those of certain fields */
  costOf(
    set: SelectionSetNode | undefined,
    type: GraphQLNamedType,
    pageSize: number | undefined,
    given: GivenValues,
    sizes?: ReadonlyMap<string, number>,
  ): number {
    let cost = 0
    const fragmentCosts: FragmentCost[] = []
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) {
        cost += this.fieldCost(node, type, pageSize, given, sizes)
        continue
      }
      const { typeCondition, selectionSet } =
        node.kind === Kind.INLINE_FRAGMENT ? node : (this.fragments.get(node.name.value) ?? {})
      const condition = (typeCondition && this.schema.getType(typeCondition.name.value)) || type
      fragmentCosts.push({
        type: condition,
        cost: this.costOf(selectionSet, condition, pageSize, given, sizes),
      })
    }
    return cost + most(this.schema, type, fragmentCosts)
  }

  private fieldCost(
    node: FieldNode,
    type: GraphQLNamedType,
    pageSize: number | undefined,
    given: GivenValues,
    sizes: ReadonlyMap<string, number> | undefined,
  ): number {
    const mutation = type === this.schema.getMutationType() ? MUTATION : 0
    const field =
      isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined
    if (!field) return mutation
    const place = `${type.name}.${field.name}`
    const before = mutation + this.argumentsCost(place, field, node, given)
    const named = getNamedType(field.type)
    const weight = weightOf(this.table, place, named)
    if (weight === 0 && isLeafType(named)) return before
    const listSize = this.table.listSizes.get(place)
    const own = listSize
      ? directedSize(listSize, field, node, given)
      : pageSizeOf(field, node, given)
    const isList = isListType(getNullableType(field.type))
    const ids = isList ? idsOf(field, node, given) : undefined
    const items = isList ? (ids ?? own ?? sizes?.get(field.name) ?? pageSize ?? ASSUMED.list) : 1
    const names = listSize?.sizedFields
    const below = isList || names ? undefined : own
    const inSized =
      names && own !== undefined ? new Map(names.map((name) => [name, own])) : undefined
    return before + items * (weight + this.costOf(node.selectionSet, named, below, given, inSized))
  }

  /** Cost by `@cost` of the given arguments, and of the fields of input objects in them. */
  private argumentsCost(
    place: string,
    { args }: Field,
    node: FieldNode,
    given: GivenValues,
  ): number {
    if (this.table.weights.size === 0) return 0
    let cost = 0
    for (const { name, value } of node.arguments ?? []) {
      cost += this.table.weights.get(`${place}(${name.value})`) ?? 0
      const type = args.find((argument) => argument.name === name.value)?.type
      if (type) cost += this.inputCost(getNamedType(type), given.valueOf(value))
    }
    return cost
  }

  private inputCost(type: GraphQLNamedType, value: unknown): number {
    if (Array.isArray(value))
      return value.reduce<number>((sum, item) => sum + this.inputCost(type, item), 0)
    if (!isInputObjectType(type) || !isObject(value)) return 0
    let cost = 0
    for (const { name, type: inner } of Object.values(type.getFields())) {
      const given = getOwn(value, name)
      if (given === undefined) continue
      const weight = this.table.weights.get(`${type.name}.${name}`) ?? 0
      cost += weight + this.inputCost(getNamedType(inner), given)
    }
    return cost
  }
}

type Field = GraphQLField<unknown, unknown>

/** Number of ids that a field is given; none where it takes no list of them. */
function idsOf({ args }: Field, node: FieldNode, given: GivenValues): number | undefined {
  if (!args.some(({ name, type }) => name === IDS && isListType(getNullableType(type))))
    return undefined
  return given.lengthOf(argumentOf(node, IDS))
}

/** The size that the arguments of a field ask for; none where it has no such arguments. */
function pageSizeOf({ args }: Field, node: FieldNode, given: GivenValues): number | undefined {
  const paging = args.filter(
    ({ name, type }) => PAGE_SIZES.has(name) && getNullableType(type) === GraphQLInt,
  )
  if (paging.length === 0) return undefined
  const sizes = paging.flatMap(({ name, defaultValue }) => {
    const value = argumentOf(node, name)
    return (value ? given.sizeOf(value) : (defaultValue as number | undefined)) ?? []
  })
  return sizes.length > 0 ? Math.max(...sizes) : ASSUMED.page
}

/** The size by `@listSize`: that of the largest slicing argument, else the assumed one. */
function directedSize(
  { slicingArguments = [], assumedSize }: ListSize,
  { args }: Field,
  node: FieldNode,
  given: GivenValues,
): number | undefined {
  const sizes = slicingArguments.flatMap((path) => {
    const [first = '', ...inner] = path.split('.')
    const value = argumentOf(node, first)
    if (value) return given.sizeAt(value, inner) ?? []
    const standard = args.find(({ name }) => name === path)?.defaultValue
    return typeof standard === 'number' ? standard : []
  })
  return sizes.length > 0 ? Math.max(...sizes) : assumedSize
}

const argumentOf = (node: FieldNode, wanted: string): ValueNode | undefined =>
  node.arguments?.find(({ name }) => name.value === wanted)?.value

export const NO_DIRECTIVES: CostTable = { weights: new Map(), listSizes: new Map() }

/** Weight of a field, else of its type: 1 for an object, nothing for a single value. */
export const weightOf = ({ weights }: CostTable, place: string, type: GraphQLNamedType): number =>
  weights.get(place) ?? weights.get(type.name) ?? (isLeafType(type) ? 0 : 1)

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

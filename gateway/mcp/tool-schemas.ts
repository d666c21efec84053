import {
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql'

/** JSON Schema (2020-12), as far as tools need it. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: false
}

const SCALARS: Readonly<Record<string, string>> = {
  ...{ String: 'string', ID: 'string', Int: 'integer', Float: 'number', Boolean: 'boolean' },
  ...{ DateTime: 'string', JSONObject: 'object' },
}

/** Input of a tool: the variables of its operation. Others are refused, as models invent them. */
export function inputSchemaOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ClosedObject {
  const variables = variableDefinitions.map(({ variable, type, defaultValue, description }) => ({
    name: variable.name.value,
    type: typeFromAST(schema, type) as GraphQLInputType, // the document was validated
    description: description?.value,
    defaultValue: defaultValue && valueFromASTUntyped(defaultValue),
  }))
  // Secrets come from a header of the client: models neither see nor choose them.
  return closedObject(variables.filter(({ type }) => getNamedType(type).name !== CREDENTIALS))
}

const CREDENTIALS = 'HostCredentialsInput'

type ClosedObject = JsonSchema & { properties: Record<string, JsonSchema> }

interface Input {
  name: string
  type: GraphQLInputType
  description?: string | null | undefined
  defaultValue?: unknown
}

/** @param within input types around it: one that holds itself is any object at its second place */
function closedObject(inputs: readonly Input[], within: readonly string[] = []): ClosedObject {
  const properties = inputs.map(({ name, type, description, defaultValue }) => [
    name,
    {
      ...inputOf(type, within),
      ...(description && { description }),
      ...(defaultValue !== undefined && { default: defaultValue }),
    },
  ])
  const required = inputs.filter(
    (each) => isNonNullType(each.type) && each.defaultValue === undefined,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  }
}

function inputOf(type: GraphQLInputType, within: readonly string[]): JsonSchema {
  if (isNonNullType(type)) return inputOf(type.ofType, within)
  if (isListType(type)) return { type: 'array', items: inputOf(type.ofType, within) }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  if (!isInputObjectType(type)) return SCALARS[type.name] ? { type: SCALARS[type.name] } : {}
  if (within.includes(type.name)) return { type: 'object' }
  return closedObject(Object.values(type.getFields()), [...within, type.name])
}

/** A selection, and the type of the objects that it selects from. */
interface SelectedFrom {
  set: SelectionSetNode
  parent: GraphQLNamedType
}

/**
 * Schema of an operation's `data`. Clients drop a result that differs from it, so it demands no key, and lets everything
 * be null.
 */
export function outputSchemaOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): JsonSchema {
  function objectOf(froms: readonly SelectedFrom[]): JsonSchema {
    const fields = new Map<string, { type: GraphQLOutputType; froms: SelectedFrom[] }>()
    const collect = ({ set, parent }: SelectedFrom): void => {
      for (const node of set.selections) {
        if (node.kind !== Kind.FIELD) {
          const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value]
          const condition = fragment?.typeCondition?.name.value
          const inner = (condition && schema.getType(condition)) || parent
          if (fragment) collect({ set: fragment.selectionSet, parent: inner })
          continue
        }
        const { alias, name, selectionSet } = node
        const type = typeOfField(parent, name.value)
        const { froms: known } = fields.get((alias ?? name).value) ?? { froms: [] }
        const own = selectionSet ? [{ set: selectionSet, parent: getNamedType(type) }] : []
        fields.set((alias ?? name).value, { type, froms: [...known, ...own] })
      }
    }
    froms.forEach(collect)
    const properties = [...fields].map(([key, of]) => [key, outputOf(of.type, of.froms)])
    return { type: 'object', properties: Object.fromEntries(properties) }
  }

  function outputOf(type: GraphQLOutputType, froms: readonly SelectedFrom[]): JsonSchema {
    if (isNonNullType(type)) return outputOf(type.ofType, froms)
    if (isListType(type)) return { type: ['array', 'null'], items: outputOf(type.ofType, froms) }
    if (froms.length > 0) return { ...objectOf(froms), type: ['object', 'null'] }
    // Scalars of others may be anything.
    const isKnown = isEnumType(type) || isSpecifiedScalarType(type)
    return isKnown ? { type: [SCALARS[type.name] ?? 'string', 'null'] } : {}
  }

  const root = schema.getRootType(operation.operation)
  return root ? objectOf([{ set: operation.selectionSet, parent: root }]) : { type: 'object' }
}

/** The document was validated: only `__typename` is no field of its type. */
const typeOfField = (parent: GraphQLNamedType, name: string): GraphQLOutputType =>
  (isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined) ??
  GraphQLString

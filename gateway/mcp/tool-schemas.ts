import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
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
  String: 'string',
  ID: 'string',
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
  DateTime: 'string',
  JSONObject: 'object',
}

/** Input of a tool: the variables of its operation. Others are refused, as models invent them. */
export function inputSchemaOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): JsonSchema & { properties: Record<string, JsonSchema> } {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const { variable, type: node, defaultValue, description } of variableDefinitions) {
    const name = variable.name.value
    const type = typeFromAST(schema, node) as GraphQLInputType // the document was validated
    if (isCredentials(type)) continue
    properties[name] = {
      ...inputOf(type, []),
      ...(description && { description: description.value }),
      ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
    }
    if (isNonNullType(type) && !defaultValue) required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Secrets come from a header of the client: models neither see nor choose them. */
const isCredentials = (type: GraphQLInputType): boolean =>
  getNamedType(type).name === 'HostCredentialsInput'

/** @param within input types around it: one that holds itself is any object at its second place */
function inputOf(type: GraphQLInputType, within: readonly string[]): JsonSchema {
  if (isNonNullType(type)) return inputOf(type.ofType, within)
  if (isListType(type)) return { type: 'array', items: inputOf(type.ofType, within) }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  if (!isInputObjectType(type)) return SCALARS[type.name] ? { type: SCALARS[type.name] } : {}
  if (within.includes(type.name)) return { type: 'object' }
  const fields = Object.values(type.getFields())
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        {
          ...inputOf(field.type, [...within, type.name]),
          ...(field.description && { description: field.description }),
        },
      ]),
    ),
    required: fields
      .filter(({ type: of, defaultValue }) => isNonNullType(of) && defaultValue === undefined)
      .map(({ name }) => name),
    additionalProperties: false,
  }
}

/** A field as it was selected, and the type that it has there. */
interface Selected {
  node: FieldNode
  type: GraphQLOutputType
}

/** A selection, and the type of the objects that it selects from. */
interface SelectedFrom {
  set: SelectionSetNode
  parent: GraphQLNamedType
}

/** Schema of an operation's `data`. Clients drop a result that differs from it, so it forbids nothing that a graph may return. */
export function outputSchemaOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): JsonSchema {
  function objectOf(froms: readonly SelectedFrom[]): JsonSchema {
    const found = new Map<string, { uses: Selected[]; isSure: boolean }>()
    const collect = ({ set, parent }: SelectedFrom, isSure: boolean): void => {
      for (const node of set.selections) {
        const isSureHere = isSure && !(node.directives ?? []).some(decidesInclusion)
        if (node.kind === Kind.FIELD) {
          const key = (node.alias ?? node.name).value
          const known = found.get(key) ?? { uses: [], isSure: false }
          known.uses.push({ node, type: typeOfField(parent, node.name.value) })
          found.set(key, { uses: known.uses, isSure: known.isSure || isSureHere })
          continue
        }
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value]
        const condition = fragment?.typeCondition?.name.value
        const inner = (condition && schema.getType(condition)) || parent
        const isMet = inner === parent && froms.length === 1
        if (fragment) collect({ set: fragment.selectionSet, parent: inner }, isSureHere && isMet)
      }
    }
    for (const from of froms) collect(from, froms.length === 1)
    const fields = [...found]
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([key, { uses }]) => [key, typedOf(uses)])),
      required: fields.filter(([, { isSure }]) => isSure).map(([key]) => key),
    }
  }

  function typedOf(uses: readonly Selected[]): JsonSchema {
    if (uses.every(({ type }) => isNonNullType(type))) return presentOf(uses.map(ofNonNull))
    const plain = presentOf(uses.map(ofNonNull))
    return plain.type === undefined ? plain : { ...plain, type: [plain.type, 'null'].flat() }
  }

  function presentOf(uses: readonly Selected[]): JsonSchema {
    const type = uses[0]?.type
    if (isListType(type)) return { type: 'array', items: typedOf(uses.map(ofList)) }
    if (!type || !isCompositeType(getNamedType(type))) return scalarOf(type)
    return objectOf(
      uses.flatMap(({ node: { selectionSet: set }, type: of }) =>
        set ? [{ set, parent: getNamedType(of) }] : [],
      ),
    )
  }

  const root = schema.getRootType(operation.operation)
  return root ? objectOf([{ set: operation.selectionSet, parent: root }]) : { type: 'object' }
}

const decidesInclusion = ({ name }: DirectiveNode): boolean =>
  name.value === 'skip' || name.value === 'include'

/** The document was validated: only `__typename` is no field of its type. */
const typeOfField = (parent: GraphQLNamedType, name: string): GraphQLOutputType =>
  (isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined) ??
  GraphQLString

const ofNonNull = ({ node, type }: Selected): Selected => ({
  node,
  type: isNonNullType(type) ? type.ofType : type,
})

const ofList = ({ node, type }: Selected): Selected => ({
  node,
  type: isListType(type) ? type.ofType : type,
})

/** Scalars of others may be anything. */
const scalarOf = (type: GraphQLOutputType | undefined): JsonSchema => {
  if (isEnumType(type)) return { type: 'string' }
  const known = isScalarType(type) && isSpecifiedScalarType(type) ? SCALARS[type.name] : undefined
  return known ? { type: known } : {}
}

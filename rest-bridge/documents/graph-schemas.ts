import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { type JsonSchema, listOf, MAP, nullable, object } from './json-schema.ts'

/** Schemas of scalars; one that is not listed may be any JSON. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  JSONObject: MAP,
  DateTime: {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\+0000$',
    examples: ['2026-01-31T08:15:00.250+0000'],
  },
}

type Properties = Readonly<Record<string, JsonSchema>>

/** Properties that REST shapes otherwise or adds; null leaves one out. */
type Changes = Readonly<Record<string, JsonSchema | null>>

/**
 * The JSON that a selection of an object type gives, described as the graph describes it.
 * @param selection its fields, as an operation selects them
 */
export function outputSchema(
  graph: GraphQLSchema,
  typeName: string,
  selection: string,
  changes: Changes = {},
): JsonSchema {
  const [fragment] = parse(`fragment All on ${typeName} { ${selection} }`).definitions
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error('There is no fragment')
  const own = propertiesOf(graph, typeName, [fragment.selectionSet])
  return object(changed(own, changes))
}

/** The JSON that an input type takes. */
export function inputSchema(
  graph: GraphQLSchema,
  typeName: string,
  changes: Changes = {},
): JsonSchema {
  const type = graph.getType(typeName)
  if (!isInputObjectType(type)) throw new Error(`${typeName} is no input type`)
  const fields = Object.values(type.getFields()).filter(({ name }) => changes[name] !== null)
  const own = Object.fromEntries(fields.map((field) => [field.name, ofField(graph, field)]))
  const required = fields
    .filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
    .map(({ name }) => name)
  return { ...object(changed(own, changes), required), additionalProperties: false }
}

/** A change keeps the description of the property that it changes, unless it brings its own. */
function changed(own: Properties, changes: Changes): Properties {
  const properties: Record<string, JsonSchema> = { ...own }
  for (const [name, schema] of Object.entries(changes)) {
    const description = own[name]?.description
    if (schema) properties[name] = { ...(description ? { description } : {}), ...schema }
    else delete properties[name]
  }
  return properties
}

function propertiesOf(
  graph: GraphQLSchema,
  typeName: string,
  selections: readonly SelectionSetNode[],
): Properties {
  const type = graph.getType(typeName)
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`)
  const below = new Map<string, { of: string; nested: SelectionSetNode[] }>()
  for (const node of selections.flatMap(({ selections }) => selections)) {
    if (node.kind !== Kind.FIELD) throw new Error('Only fields are selected for REST')
    const key = (node.alias ?? node.name).value
    const nested = [...(below.get(key)?.nested ?? []), ...[node.selectionSet ?? []].flat()]
    below.set(key, { of: node.name.value, nested })
  }
  return Object.fromEntries(
    [...below].map(([name, { of, nested }]) => {
      const field = type.getFields()[of]
      if (!field) throw new Error(`${typeName} has no field ${of}`)
      return [name, ofField(graph, field, nested)]
    }),
  )
}

function ofField(
  graph: GraphQLSchema,
  field: GraphQLField<unknown, unknown> | GraphQLInputField,
  nested: readonly SelectionSetNode[] = [],
): JsonSchema {
  const defaultValue = 'defaultValue' in field ? field.defaultValue : undefined
  // In words: generators take a property with the keyword `default` as one that every request has.
  const ifAbsent = defaultValue == null ? [] : [`\`${JSON.stringify(defaultValue)}\` if absent.`]
  const description = [...[field.description ?? []].flat(), ...ifAbsent].join(' ')
  return { ...(description ? { description } : {}), ...ofType(graph, field.type, nested) }
}

function ofType(
  graph: GraphQLSchema,
  type: GraphQLType,
  nested: readonly SelectionSetNode[],
): JsonSchema {
  if (!isNonNullType(type)) return nullable(ofNonNull(graph, type, nested))
  return ofNonNull(graph, type.ofType, nested)
}

function ofNonNull(
  graph: GraphQLSchema,
  type: GraphQLType,
  nested: readonly SelectionSetNode[],
): JsonSchema {
  if (isListType(type)) return listOf(ofType(graph, type.ofType, nested))
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  if (isInputObjectType(type)) return inputSchema(graph, type.name)
  if (isObjectType(type)) return object(propertiesOf(graph, type.name, nested))
  return SCALARS[String(type)] ?? {}
}

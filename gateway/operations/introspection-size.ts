import {
  type DocumentNode,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  getOperationAST,
  type InlineFragmentNode,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { fragmentsOf } from '../../formats/graphql/documents.ts'
import { getOwn, type Json } from '../federation/index.ts'
import { LimitExceeded } from './operation-limits.ts'

/** Tools ask for the whole schema once. In a small schema, operations may read more of it. */
const MAX = { schemas: 2, values: 10_000 }

/** Largest query of tools. */
const WHOLE_SCHEMA = parse(
  getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
  }),
)

const maxima = new WeakMap<GraphQLSchema, number>()

/** Values that an introspection of a schema may read. */
function maxValuesOf(schema: GraphQLSchema): number {
  const known = maxima.get(schema)
  if (known) return known
  const operation = getOperationAST(WHOLE_SCHEMA)
  const whole = operation ? valuesRead({ schema, document: WHOLE_SCHEMA, operation }) : 0
  const max = Math.max(MAX.values, MAX.schemas * whole)
  maxima.set(schema, max)
  return max
}

/**
 * Compiles whether an operation reads too much of the schema. Types lead to fields and back to types, so that a short
 * document reads any number of them.
 */
export function compileIntrospectionCheck(asked: Asked): (variables: Json) => LimitExceeded | null {
  const meta = metaFieldsOf(asked)
  if (meta.length === 0) return () => null
  const max = maxValuesOf(asked.schema)
  const check = (variables: Json) =>
    valuesRead(asked, variables, max) > max ? tooManyValues(max) : null
  if (meta.some(({ arguments: given }) => given?.some(({ value }) => value.kind === Kind.VARIABLE)))
    return check
  const constant = check({})
  return () => constant
}

const tooManyValues = (max: number) =>
  new LimitExceeded(
    'introspection',
    `The operation reads more than ${max} values of the schema (INTROSPECTION_MAX_VALUES), which is twice the whole schema. Ask for each part once, and for fewer levels of types.`,
  )

interface Asked {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
}

/** @param max where counting stops */
function valuesRead(asked: Asked, variables: Json = {}, max = Number.POSITIVE_INFINITY): number {
  const { schema } = asked
  const fragments = fragmentsOf(asked.document)
  // Resolvers of the introspection read nothing else of it.
  const info = { schema } as GraphQLResolveInfo
  let values = 0

  function count(set: SelectionSetNode | undefined, type: GraphQLNamedType, from: unknown): void {
    for (const node of set?.selections ?? []) {
      if (values > max) return
      if (node.kind !== Kind.FIELD) {
        count(selectionsOf(node, fragments), type, from)
        continue
      }
      values++
      const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined
      const below = field && getNamedType(field.type)
      if (!field?.resolve || !below || isLeafType(below)) continue
      const found: unknown = field.resolve(from, { includeDeprecated: true }, undefined, info)
      for (const each of [found].flat()) if (each != null) count(node.selectionSet, below, each)
    }
  }

  for (const node of metaFieldsOf(asked)) {
    const { type, resolve } = node.name.value === '__type' ? TypeMetaFieldDef : SchemaMetaFieldDef
    const found = resolve?.(
      undefined,
      { name: nameOf(node, asked.operation, variables) },
      undefined,
      info,
    )
    if (found) count(node.selectionSet, getNamedType(type), found)
  }
  return values
}

/** The argument of `__type`. */
function nameOf(
  { arguments: given }: FieldNode,
  operation: OperationDefinitionNode,
  variables: Json,
) {
  let value = given?.[0]?.value
  if (value?.kind === Kind.VARIABLE) {
    const { name } = value
    const sent = getOwn(variables, name.value)
    if (sent !== undefined) return typeof sent === 'string' ? sent : ''
    value = operation.variableDefinitions?.find(
      ({ variable }) => variable.name.value === name.value,
    )?.defaultValue
  }
  return value?.kind === Kind.STRING ? value.value : ''
}

/** The fields `__schema` and `__type` of an operation, each as often as it is asked for. */
function metaFieldsOf({ document, operation }: Asked): FieldNode[] {
  const fragments = fragmentsOf(document)
  const within = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap((node) => {
      if (node.kind !== Kind.FIELD) return within(selectionsOf(node, fragments))
      return node.name.value === '__schema' || node.name.value === '__type' ? [node] : []
    })
  return within(operation.selectionSet)
}

const selectionsOf = (
  node: FragmentSpreadNode | InlineFragmentNode,
  fragments: ReturnType<typeof fragmentsOf>,
): SelectionSetNode | undefined =>
  node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]?.selectionSet

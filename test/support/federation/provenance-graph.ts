import type { IResolvers } from '@graphql-tools/utils'
import {
  type ExecutionResult,
  executeSync,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  isCompositeType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { isObject, type Json } from '../../../gateway/federation/executor/own.ts'
import { plain } from './apollo.ts'
import { idOf, keyOf, type Traced } from './provenance-keys.ts'
import { type Types, typesOf, unresolvedBy } from './provenance-types.ts'
import type { Suite } from './suite.ts'

/**
 * A graph whose values name their provenance, such as `P:1.price([["c",5]])`, followed by what was required for them.
 * So the answer to any operation is known without a plan: `answer` runs it on one schema that has no subgraphs.
 */
export interface ProvenanceGraph extends Pick<Suite, 'name' | 'subgraphs'> {
  answer(schema: GraphQLSchema, query: string, variables: Json): ExecutionResult
}

/** A field of an object, with what it requires. */
type Resolve = (
  source: Traced | undefined,
  args: Json,
  field: { type: string; name: string; returns: GraphQLOutputType },
) => unknown

const IDS = ['1', '2', '3', '4']

/** @param sdls of the subgraphs; keys are those of `keyOf`, all other leaves are strings that may be null */
export function provenanceGraph(
  name: string,
  sdls: Readonly<Record<string, string>>,
): ProvenanceGraph {
  const types = typesOf(Object.values(sdls))
  const inSubgraph = resolveWith(types, (source, fieldSet) => given(source, selectionOf(fieldSet)))
  return {
    name,
    subgraphs: Object.fromEntries(
      Object.entries(sdls).map(([service, sdl]) => [
        service,
        {
          sdl,
          resolvers: resolversOf(types, typesOf([sdl]), inSubgraph, unresolvedBy(sdls, service)),
        },
      ]),
    ),
    answer: (schema, query, variables) => answerOf(types, schema, query, variables),
  }
}

function resolveWith(
  types: Types,
  requiredOf: (source: Traced, fieldSet: string, type: string) => unknown,
): Resolve {
  return (source, args, { type, name, returns }) => {
    const key = source && keyOf(source, name)
    if (key !== undefined) return key
    const family = types.familyOf(type)
    const place = source?.id ? `${family}:${source.id}` : isRoot(type) ? '' : (source?.text ?? '')
    const text = `${place}.${name}(${JSON.stringify(Object.entries(args).sort())})`
    if (!isNonNullType(returns) && hashOf(text) % 11 === 0) return null
    const fieldSet =
      types.required.get(`${family}.${name}`) ?? types.required.get(`${type}.${name}`)
    const required = fieldSet && source ? JSON.stringify(requiredOf(source, fieldSet, type)) : ''
    return valueAs(types, returns, text + required)
  }
}

const valueAs = (types: Types, type: GraphQLOutputType, text: string): unknown => {
  if (isNonNullType(type)) return valueAs(types, type.ofType, text)
  if (isListType(type)) return [0, 1].map((item) => valueAs(types, type.ofType, `${text}#${item}`))
  return isCompositeType(type) ? objectOf(types, type.name, text) : text
}

const objectOf = (types: Types, type: string, text: string): Traced => {
  const possible = types.possible(type)
  const drawn = pick(possible, hashOf(text))
  if (!types.entities.has(drawn)) return { __typename: drawn, text }
  const typeOf = (id: string) => typeOfId(types, types.familyOf(drawn), id)
  const ids = IDS.filter((one) => possible.includes(typeOf(one)))
  const id = pick(ids, hashOf(text))
  return { __typename: typeOf(id), id }
}

const typeOfId = (types: Types, family: string, id = '') => pick(types.possible(family), Number(id))

const resolversOf = (
  types: Types,
  own: Types,
  resolve: Resolve,
  unresolved: ReadonlySet<string>,
): IResolvers => {
  const resolversOfFields = (type: string, names: readonly string[]) =>
    names.map((name) => [
      name,
      {
        resolve: (
          source: Traced,
          args: Json,
          _context: unknown,
          info: { returnType: GraphQLOutputType },
        ) => {
          const key = `${type}.${name}`
          if (unresolved.has(key) && !source?.provided?.includes(name))
            return new Error(`${key} is resolved by another subgraph`)
          const value = resolve(source, args, { type, name, returns: info.returnType })
          return providing(value, own.provided.get(key), resolve)
        },
        ...(isStream(type) ? { subscribe: oneEvent } : {}),
      },
    ])
  const objects = [...own.objects].map(([type, names]) => [
    type,
    {
      ...Object.fromEntries(resolversOfFields(type, names)),
      ...(own.entities.has(type) ? { __resolveReference: byId } : {}),
    },
  ])
  const abstract = [...own.abstract].map((type) => {
    const __resolveReference = (reference: Traced) => {
      const id = idOf(reference)
      return { __typename: typeOfId(types, type, id), id }
    }
    return [
      type,
      {
        __resolveType: ({ __typename }: Traced) => __typename,
        ...(own.entities.has(type) ? { __resolveReference } : {}),
      },
    ]
  })
  return Object.fromEntries([...objects, ...abstract])
}

/** Objects with the fields that the path to them provides, as these may be required there. */
const providing = (
  value: unknown,
  provided: readonly string[] | undefined,
  resolve: Resolve,
): unknown => {
  if (Array.isArray(value)) return value.map((item) => providing(item, provided, resolve))
  if (!provided || !isTraced(value)) return value
  const field = { type: value.__typename, returns: GraphQLString }
  const values = provided.map((name) => [name, resolve(value, {}, { ...field, name })])
  return { ...value, provided, ...Object.fromEntries(values) }
}

const isTraced = (value: unknown): value is Traced =>
  isObject(value) && typeof value.__typename === 'string'

/** Root types have these names, or their subgraph's own: `OwnQuery`. Their fields are the same wherever they stand. */
const isRoot = (type: string): boolean => /^(Own)?(Query|Mutation|Subscription)$/.test(type)
const isStream = (type: string): boolean => type.endsWith('Subscription')

async function* oneEvent() {
  yield {}
}

const byId = (reference: Traced): Traced => ({ ...reference, id: idOf(reference) })

/** Part of a representation for a field set. */
const given = (value: unknown, selection: SelectionSetNode): unknown => {
  if (Array.isArray(value)) return value.map((item) => given(item, selection))
  if (!isObject(value)) return value
  return Object.fromEntries(
    fieldsOf(selection, value.__typename).flatMap(({ name, selectionSet }) => {
      const { [name.value]: part = 'missing' } = value
      // Only the fields of its own type are there where the type is not.
      if (part === 'missing' && !value.__typename) return []
      return [[name.value, selectionSet ? given(part, selectionSet) : part]]
    }),
  )
}

const fieldsOf = ({ selections }: SelectionSetNode, type: unknown): FieldNode[] =>
  selections.flatMap((selection) => {
    if (selection.kind === 'Field') return [selection]
    if (selection.kind === 'FragmentSpread') throw new Error('Field sets spread no fragments')
    const { typeCondition, selectionSet } = selection
    return type && typeCondition && typeCondition.name.value !== type
      ? []
      : fieldsOf(selectionSet, type)
  })

function answerOf(
  types: Types,
  schema: GraphQLSchema,
  query: string,
  variables: Json,
): ExecutionResult {
  const resolve = resolveWith(types, (source, fieldSet, type) => {
    const query = schema.getType(type) as GraphQLObjectType
    const of = new GraphQLSchema({ ...schema.toConfig(), query })
    return run(of, `{ ${fieldSet} }`, source).data
  })
  const run = (of: GraphQLSchema, text: string, rootValue?: Traced): ExecutionResult =>
    executeSync({
      schema: of,
      document: parse(text),
      variableValues: variables,
      rootValue,
      typeResolver: ({ __typename }) => __typename,
      fieldResolver: (source, args, _context, { parentType, fieldName, returnType }) =>
        resolve(source, args, { type: parentType.name, name: fieldName, returns: returnType }),
    })
  return plain(run(schema, query))
}

const selectionOf = (fieldSet: string): SelectionSetNode =>
  (parse(`{ ${fieldSet} }`).definitions[0] as OperationDefinitionNode).selectionSet

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

const hashOf = (text: string): number => {
  let hash = 7
  for (const letter of text) hash = (hash * 37 + letter.charCodeAt(0)) >>> 0
  return hash
}

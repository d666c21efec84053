import type { IResolvers } from '@graphql-tools/utils'
import {
  type ExecutionResult,
  executeSync,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  isCompositeType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { isObject, type Json } from '../../../../gateway/supergraph/executor/own.ts'
import { plain } from './apollo.ts'
import type { Suite } from './suite.ts'
import { type Types, typesOf } from './telling-types.ts'

/**
 * A graph whose values tell how they came about, such as `P:1.price([["c",5]])`, followed by what was required for them.
 * So the answer to any operation is known without a plan: `answer` runs it on one schema that has no subgraphs.
 */
export interface TellingGraph extends Pick<Suite, 'name' | 'subgraphs'> {
  answer(schema: GraphQLSchema, query: string, variables: Json): ExecutionResult
}

/** An entity by its id, another object by the value that it stands for. */
interface Told extends Json {
  __typename: string
  id?: string
  text?: string
}

/** A field of an object, with what it requires. */
type Resolve = (
  source: Told | undefined,
  args: Json,
  field: { type: string; name: string; returns: GraphQLOutputType },
) => unknown

const IDS = ['1', '2', '3', '4']

/** @param sdls of the subgraphs; the keys of entities are `id`, all other leaves are strings that may be null */
export function tellingGraph(name: string, sdls: Readonly<Record<string, string>>): TellingGraph {
  const types = typesOf(Object.values(sdls))
  const inSubgraph = resolveWith(types, (source, fieldSet) => given(source, selectionOf(fieldSet)))
  return {
    name,
    subgraphs: Object.fromEntries(
      Object.entries(sdls).map(([service, sdl]) => [
        service,
        { sdl, resolvers: resolversOf(types, typesOf([sdl]), inSubgraph) },
      ]),
    ),
    answer: (schema, query, variables) => answerOf(types, schema, query, variables),
  }
}

function resolveWith(
  types: Types,
  requiredOf: (source: Told, fieldSet: string, type: string) => unknown,
): Resolve {
  return (source, args, { type, name, returns }) => {
    if (name === 'id' && source?.id) return source.id
    const family = types.familyOf(type)
    const place = source?.id ? `${family}:${source.id}` : (source?.text ?? '')
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

const objectOf = (types: Types, type: string, text: string): Told => {
  const possible = types.possible(type)
  const drawn = pick(possible, hashOf(text))
  if (!types.entities.has(drawn)) return { __typename: drawn, text }
  const typeOf = (id: string) => typeOfId(types, types.familyOf(drawn), id)
  const ids = IDS.filter((one) => possible.includes(typeOf(one)))
  const id = pick(ids, hashOf(text))
  return { __typename: typeOf(id), id }
}

const typeOfId = (types: Types, family: string, id = '') => pick(types.possible(family), Number(id))

const resolversOf = (types: Types, own: Types, resolve: Resolve): IResolvers => {
  const fieldsOf = (type: string, names: readonly string[]) =>
    names.map((name) => [
      name,
      (source: Told, args: Json, _context: unknown, info: { returnType: GraphQLOutputType }) =>
        resolve(source, args, { type, name, returns: info.returnType }),
    ])
  const objects = [...own.objects].map(([type, names]) => [
    type,
    {
      ...Object.fromEntries(fieldsOf(type, names)),
      ...(own.entities.has(type) ? { __resolveReference: (reference: Told) => reference } : {}),
    },
  ])
  const abstract = [...own.abstract].map((type) => {
    const __resolveReference = ({ id }: Told) => ({ __typename: typeOfId(types, type, id), id })
    return [
      type,
      {
        __resolveType: ({ __typename }: Told) => __typename,
        ...(own.entities.has(type) ? { __resolveReference } : {}),
      },
    ]
  })
  return Object.fromEntries([...objects, ...abstract])
}

/** What a representation holds of a field set. */
const given = (value: unknown, selection: SelectionSetNode): unknown => {
  if (Array.isArray(value)) return value.map((item) => given(item, selection))
  if (!isObject(value)) return value
  return Object.fromEntries(
    selection.selections.map((field) => {
      if (field.kind !== 'Field') throw new Error('Field sets hold fields only')
      const { [field.name.value]: part = 'missing' } = value
      return [field.name.value, field.selectionSet ? given(part, field.selectionSet) : part]
    }),
  )
}

function answerOf(
  types: Types,
  schema: GraphQLSchema,
  query: string,
  variables: Json,
): ExecutionResult {
  const resolve = resolveWith(types, (source, fieldSet, type) => {
    const of = new GraphQLSchema({ query: schema.getType(type) as GraphQLObjectType })
    return run(of, `{ ${fieldSet} }`, source).data
  })
  const run = (of: GraphQLSchema, text: string, rootValue?: Told): ExecutionResult =>
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

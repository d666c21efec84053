import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql'
import { localLink } from '../../../gateway/local-link.ts'
import { withChaos } from './chaos.ts'
import { type Graph, graphOver, SILENT } from './graph.ts'

/** An object of the random data: an entity is known by its id, any other by where it stands. */
interface Thing {
  __typename: string
  id?: string
  place: string
}

const FOLDER = new URL('../../../schema/', import.meta.url)
const read = (name: string) => readFile(new URL(`${name}.graphql`, FOLDER), 'utf8')

/** The graph of the product, over data that look random and are the same in every run. */
export async function ourGraph(): Promise<Graph> {
  const links = ['accounts', 'events', 'server', 'test-execution'].map(async (name) => {
    const schema = buildSubgraphSchema(parse(await read(name)))
    return localLink(name, { schema: withChaos(withRandomData(schema)) }, SILENT)
  })
  return graphOver(await read('supergraph'), await Promise.all(links))
}

function withRandomData(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('_')) continue
    for (const field of Object.values(type.getFields())) {
      if (field.name.startsWith('_')) continue
      const { type: fieldType } = field
      field.resolve = (parent: Partial<Thing> | undefined, args) => {
        if (field.name === 'id' && parent?.id) return parent.id
        const of = parent?.id ? `${type.name}:${parent.id}` : (parent?.place ?? '')
        return randomValue(schema, fieldType, `${of}.${field.name}(${JSON.stringify(args)})`)
      }
    }
  }
  return schema
}

function randomValue(schema: GraphQLSchema, type: GraphQLOutputType, place: string): unknown {
  if (isNonNullType(type)) return randomValue(schema, type.ofType, place)
  if (isListType(type))
    return Array.from({ length: below(4, place) }, (_, index) =>
      randomValue(schema, type.ofType, `${place}[${index}]`),
    )
  if (isAbstractType(type)) {
    const possible = schema.getPossibleTypes(type)
    const chosen = possible[below(possible.length, `type of ${place}`)]
    return chosen && randomValue(schema, chosen, place)
  }
  if (isObjectType(type)) {
    const thing: Thing = { __typename: type.name, place }
    return 'id' in type.getFields() ? { ...thing, id: `id-${below(5, `id of ${place}`)}` } : thing
  }
  if (isEnumType(type)) return type.getValues()[below(type.getValues().length, place)]?.value
  const number = below(1_000, place)
  if (type.name === 'Int' || type.name === 'Float') return number
  if (type.name === 'Boolean') return number % 2 === 0
  if (type.name === 'JSON' || type.name === 'JSONObject') return { number, list: [{ place }] }
  return `text ${number}`
}

const below = (limit: number, text: string): number =>
  createHash('md5').update(text).digest().readUInt32BE(0) % limit

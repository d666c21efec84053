import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
} from 'graphql'
import { inspect } from 'graphql/jsutils/inspect.js'

/** Compiles how a value of a scalar or an enum is served. @throws what the type makes of a value that is none of its own */
export function compileLeaf(type: GraphQLLeafType): (value: unknown) => unknown {
  const isServed = SERVED.get(type)
  return isServed
    ? (value) => (isServed(value) ? value : serialized(type, value))
    : (value) => serialized(type, value)
}

/** Values of these types that are served as they are. */
const SERVED = new Map<GraphQLLeafType, (value: unknown) => boolean>([
  [GraphQLString, (value) => typeof value === 'string'],
  [GraphQLID, (value) => typeof value === 'string'],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
])

function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const text = type.serialize(value)
  if (text === null || text === undefined)
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(text)}`,
    )
  return text
}

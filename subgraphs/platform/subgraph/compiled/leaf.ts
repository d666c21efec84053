import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
} from 'graphql'
import { inspect } from 'graphql/jsutils/inspect.js'
import { charactersIn } from '../response-size.ts'
import { count, type Run } from './run.ts'

/**
 * Compiles how a value of a scalar or an enum is served, and counts its characters.
 * @throws what the type makes of a value that is none of its own; TOO_LARGE
 */
export function compileLeaf(type: GraphQLLeafType): (run: Run, value: unknown) => unknown {
  // The selection has counted values without texts.
  const isServed = SERVED.get(type)
  if (isServed) return (_run, value) => (isServed(value) ? value : serialized(type, value))
  const counted = (run: Run, value: unknown) => {
    const served = serialized(type, value)
    count(run, typeof served === 'string' ? served.length : charactersIn(served))
    return served
  }
  if (type !== GraphQLString && type !== GraphQLID) return counted
  return (run, value) => {
    if (typeof value !== 'string') return counted(run, value)
    count(run, value.length)
    return value
  }
}

/** Values of these types that are served as they are. */
const SERVED = new Map<GraphQLLeafType, (value: unknown) => boolean>([
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

import { GraphQLBoolean, GraphQLFloat, GraphQLInt, type GraphQLLeafType } from 'graphql'
import { inspect } from 'graphql/jsutils/inspect.js'
import { charactersIn } from '../response-size.ts'
import { count, type Run } from './run.ts'

/**
 * Compiles how a value of a scalar or an enum is served, and counts the characters of texts: the selection has counted
 * the others.
 * @throws what the type makes of a value that is none of its own; TOO_LARGE
 */
export function compileLeaf(type: GraphQLLeafType): (run: Run, value: unknown) => unknown {
  if (COUNTED.has(type)) return (_run, value) => serialized(type, value)
  return (run, value) => {
    const served = serialized(type, value)
    count(run, typeof served === 'string' ? served.length : charactersIn(served))
    return served
  }
}

/** Types without texts. */
const COUNTED: ReadonlySet<GraphQLLeafType> = new Set([GraphQLBoolean, GraphQLInt, GraphQLFloat])

function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const text = type.serialize(value)
  if (text === null || text === undefined)
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(text)}`,
    )
  return text
}

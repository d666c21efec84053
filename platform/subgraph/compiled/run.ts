import type { VariableValues } from '@graphql-tools/utils'
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  isNonNullType,
  locatedError,
  type OperationDefinitionNode,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql'
import { charactersIn } from '../../../formats/graphql/response-size.ts'

/** An operation with given values of the variables in its conditions. */
export interface Program {
  schema: GraphQLSchema
  fragments: Record<string, FragmentDefinitionNode>
  operation: OperationDefinitionNode
  /** Those of conditions alone are read. */
  variables: VariableValues
}

/** One run of an operation. */
export interface Run {
  context: unknown
  root: unknown
  variables: Record<string, unknown>
  errors: GraphQLError[]
  /** Places that are null for an error. Below them no further one is reported. */
  failed: Set<ResponsePath | undefined>
  /** Characters of the response, as far as it is made. */
  characters: number
  maxCharacters: number
}

/** Ends a run. */
export const TOO_LARGE = new Error('The response is too large')

/** Counts what becomes part of the response. @throws TOO_LARGE */
export function count(run: Run, characters: number): void {
  run.characters += characters
  if (run.characters > run.maxCharacters) throw TOO_LARGE
}

/** Handles an error at a place: null where that is allowed. @returns a function that throws it elsewhere, and TOO_LARGE */
export function compileFailure(nodes: readonly FieldNode[], type: GraphQLOutputType) {
  const isNonNull = isNonNullType(type)
  return (run: Run, raw: unknown, path: ResponsePath): null => {
    if (raw === TOO_LARGE) throw raw
    const error = locatedError(raw, nodes, responsePathAsArray(path))
    if (isNonNull) throw error
    report(run, error, path)
    return null
  }
}

/** Adds an error, unless a place above is null for one already. It counts, and the next value or the end is refused. */
export function report(run: Run, error: GraphQLError, path: ResponsePath | undefined): void {
  const { errors, failed } = run
  let place = path
  while (place && !failed.has(place)) place = place.prev
  if (place || failed.has(undefined)) return
  failed.add(path)
  errors.push(error)
  run.characters += charactersIn([error.message, error.path])
}

/** A value in messages, as graphql-js words them. */
export { inspect } from '@graphql-tools/utils'

/** As graphql-js has it, with an answer for most values at once. */
export const isPromise = (value: unknown): value is Promise<unknown> =>
  value !== null &&
  (typeof value === 'object' || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function'

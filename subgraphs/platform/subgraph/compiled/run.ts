import type {
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import type { Path } from 'graphql/jsutils/Path.js'

/** An operation with given values of the variables in its conditions. */
export interface Program {
  schema: GraphQLSchema
  fragments: Record<string, FragmentDefinitionNode>
  operation: OperationDefinitionNode
  /** Those of conditions alone are read. */
  variables: Record<string, unknown>
}

/** One run of an operation. */
export interface Run {
  context: unknown
  root: unknown
  variables: Record<string, unknown>
  errors: GraphQLError[]
  /** Places that are null for an error. Below them no further one is reported. */
  failed: Set<Path | undefined>
}

/** @returns null where that is allowed @throws the error elsewhere */
export function failed(run: Run, error: GraphQLError, path: Path, isNonNull: boolean): null {
  if (isNonNull) throw error
  report(run, error, path)
  return null
}

export function report({ errors, failed }: Run, error: GraphQLError, path: Path | undefined): void {
  let place = path
  while (place && !failed.has(place)) place = place.prev
  if (place || failed.has(undefined)) return
  failed.add(path)
  errors.push(error)
}

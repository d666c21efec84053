import type { GraphQLError } from 'graphql'
import type { Path } from 'graphql/jsutils/Path.js'

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

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

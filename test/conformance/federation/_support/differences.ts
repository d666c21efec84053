import type { ExecutionResult } from 'graphql'
import type { ExpectedError } from './suite.ts'

/** The errors of an answer, in an order that does not depend on which fetch came first. */
export const errorsOf = ({ errors = [] }: ExecutionResult): ExpectedError[] =>
  errors
    .map(({ path, extensions }) => ({
      ...(path ? { path } : {}),
      code: String(extensions?.code),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/**
 * The same, with list positions left out: Apollo counts representations where it should count objects, and so names the
 * wrong item wherever an object of the list was not asked for.
 */
export const errorsAnywhereOf = (result: ExecutionResult): ExpectedError[] =>
  errorsOf({
    ...result,
    errors: result.errors?.map((error) => ({
      ...error,
      path: error.path?.map((step) => (typeof step === 'number' ? '@' : step)),
    })) as ExecutionResult['errors'],
  })

/** Whether what an error names is null, or lies below a null, or was not asked for. */
export function explainsNull(
  { data }: ExecutionResult,
  path: readonly (string | number)[] = [],
): boolean {
  let value: unknown = data
  for (const step of path) {
    if (value === null || value === undefined) return true
    value = (value as Record<string | number, unknown>)[step]
  }
  return value === null || value === undefined
}

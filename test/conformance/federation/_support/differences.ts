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
 * The same, with list positions and the planner's aliases left out: Apollo counts representations where it should count
 * objects, and so names the wrong item wherever an object of the list was not asked for; and it keeps such an alias.
 */
export const errorsAnywhereOf = (result: ExecutionResult): ExpectedError[] =>
  errorsOf({
    ...result,
    errors: result.errors?.map((error) => ({
      ...error,
      path: error.path?.map((step) =>
        typeof step === 'number' ? '@' : step.replace(/__alias_\d+$/, ''),
      ),
    })) as ExecutionResult['errors'],
  })

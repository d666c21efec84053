import type { ExecutionResult, GraphQLError } from 'graphql'
import type { ExpectedError } from './suite.ts'

const UNFIT = 'DOWNSTREAM_SERVICE_ERROR'
const UNFIT_MESSAGE = /^(Cannot return null for non-nullable|Invalid (value|__typename) found for) /

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

/** An answer of Apollo in our form: values that do not fit the schema are in an extension there. */
export const toldAsOurs = ({ errors, extensions, ...result }: ExecutionResult): ExecutionResult => {
  const unfit = (extensions?.valueCompletion ?? []) as GraphQLError[]
  const made = unfit.map((error) => ({ ...error, extensions: { code: UNFIT } }))
  return { ...result, errors: errors ?? (made as unknown as GraphQLError[]) }
}

/** The part of our answer that Apollo also gives: beside other errors it omits those of values that do not fit. */
export const besideErrorsOf = (
  { errors: apollos }: ExecutionResult,
  { errors, ...result }: ExecutionResult,
): ExecutionResult => ({
  ...result,
  errors: apollos ? errors?.filter(({ message }) => !UNFIT_MESSAGE.test(message)) : errors,
})

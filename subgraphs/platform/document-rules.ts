import {
  GraphQLError,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
} from 'graphql'

/** The rules of the specification; none of their messages repeats a literal, which can be a secret. */
export const DOCUMENT_RULES: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === ValuesOfCorrectTypeRule ? valuesOfCorrectType : rule,
)

function valuesOfCorrectType(context: ValidationContext) {
  const reportError = (error: GraphQLError) => context.reportError(withoutValue(error, context))
  return ValuesOfCorrectTypeRule(Object.create(context, { reportError: { value: reportError } }))
}

/** Messages that repeat names alone. */
const NAMES_ONLY = /^(?:Field "|OneOf |Value "\w+" does not exist in "\w+" enum)|, found null\.$/

const withoutValue = (error: GraphQLError, context: ValidationContext): GraphQLError =>
  NAMES_ONLY.test(error.message)
    ? error
    : new GraphQLError(`Expected value of type "${context.getInputType()}".`, {
        nodes: error.nodes,
      })

import {
  type ArgumentNode,
  type ASTVisitor,
  GraphQLError,
  getEnterLeaveForKind,
  Kind,
  type ObjectFieldNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
} from 'graphql'
import { inWords } from '../variable-fault.ts'

/** The rules of the specification. Their messages name the place of a literal, and repeat none: it can be a secret. */
export const DOCUMENT_RULES: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === ValuesOfCorrectTypeRule ? valuesOfCorrectType : rule,
)

function valuesOfCorrectType(context: ValidationContext): ASTVisitor {
  /** Names of the argument and of the fields of objects that the visited value stands at. */
  const place: string[] = []
  const reportError = (error: GraphQLError) =>
    context.reportError(withoutValue(error, context, place))
  const ruled = ValuesOfCorrectTypeRule(
    Object.create(context, { reportError: { value: reportError } }),
  )
  const { enter: judge } = getEnterLeaveForKind(ruled, Kind.OBJECT_FIELD)
  const enter = ({ name }: ArgumentNode | ObjectFieldNode) => void place.push(name.value)
  const leave = () => void place.pop()
  return {
    ...ruled,
    Argument: { enter, leave },
    ObjectField: {
      enter(...visited) {
        enter(visited[0])
        return judge?.apply(ruled, visited)
      },
      leave,
    },
  }
}

/** Messages that repeat names alone. */
const NAMES_ONLY = /^(?:Field "|OneOf |Value "\w+" does not exist in "\w+" enum)|, found null\.$/

function withoutValue(
  error: GraphQLError,
  context: ValidationContext,
  place: readonly string[],
): GraphQLError {
  if (NAMES_ONLY.test(error.message)) return error
  const { nodes } = error
  const type = context.getInputType()
  return place.length === 0
    ? new GraphQLError(`Expected value of type "${type}".`, { nodes })
    : new GraphQLError(`${place.join('.')}: expected ${inWords(String(type))}`, { nodes })
}

import { type FieldNode, type GraphQLField, getArgumentValues, Kind, visit } from 'graphql'
import { argumentFault } from './argument-fault.ts'

type Values = Record<string, unknown>

/**
 * Compiles the arguments of a field, which graphql-js coerces: once where they depend on no variable, and not again where
 * each of them is a variable. @throws GraphQLError BAD_USER_INPUT where graphql-js throws, when they are asked for
 */
export function compileArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Values) => Values {
  const { args } = definition
  if (args.length === 0) return () => ({})
  const constants = constantsOf(definition, node)
  if (constants) return () => ({ ...constants })
  const names = args.map(({ name }) => {
    const value = node.arguments?.find((given) => given.name.value === name)?.value
    return { name, variable: value?.kind === Kind.VARIABLE ? value.name.value : undefined }
  })
  return (variables) => {
    const values: Values = {}
    for (const { name, variable } of names) {
      // A variable may have the name of something that objects inherit.
      const isGiven = variable !== undefined && Object.hasOwn(variables, variable)
      const value = isGiven ? variables[variable] : undefined
      // Defaults, and what must not be null, are for graphql-js.
      if (value === undefined || value === null) return coerced(definition, node, variables)
      values[name] = value
    }
    return values
  }
}

function coerced(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Values,
): Values {
  try {
    return getArgumentValues(definition, node, variables)
  } catch (error) {
    throw argumentFault(error, definition, node, variables)
  }
}

/** @returns undefined where they follow from variables, are wrong, or hold objects: a resolver may change what it is given */
function constantsOf(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): Values | undefined {
  let isConstant = true
  visit(
    { ...node, selectionSet: undefined, directives: [] },
    {
      Variable() {
        isConstant = false
      },
    },
  )
  if (!isConstant) return undefined
  try {
    const values = getArgumentValues(definition, node, {})
    return Object.values(values).some((value) => typeof value === 'object' && value !== null)
      ? undefined
      : values
  } catch {
    return undefined
  }
}

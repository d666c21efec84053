import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql'

type Values = Record<string, unknown>

/**
 * Error of graphql-js about arguments of a field that cannot be used, with the place in place of the value, which can
 * hold secrets.
 * @param error of getArgumentValues
 */
export function argumentFault(
  error: unknown,
  { args }: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Values,
): unknown {
  if (!(error instanceof GraphQLError)) return error
  const [, name] = /^Argument "(\w+)" has invalid value /.exec(error.message) ?? []
  const type = args.find((each) => each.name === name)?.type
  const value = node.arguments?.find((given) => given.name.value === name)?.value
  const message =
    name && type && value ? faultOf({ value, type, place: name }, variables) : error.message
  return new GraphQLError(message, {
    nodes: error.nodes,
    extensions: { code: 'BAD_USER_INPUT' },
  })
}

interface Given {
  value: ValueNode
  type: GraphQLInputType
  place: string
}

/** The first fault within a value that has one. */
function faultOf({ value, type, place }: Given, variables: Values): string {
  const words = String(type).replaceAll('!', '')
  if (value.kind === Kind.VARIABLE) return `${place}: expected ${words}, not null`
  const faulty = partsOf({ value, type, place }).find((part) => isFaulty(part, variables))
  return faulty ? faultOf(faulty, variables) : `${place}: expected ${words}`
}

function partsOf({ value, type, place }: Given): Given[] {
  const nullable = getNullableType(type)
  if (isListType(nullable)) {
    const { ofType } = nullable
    if (value.kind !== Kind.LIST) return [{ value, type: ofType, place }]
    return value.values.map((item, at) => ({ value: item, type: ofType, place: `${place}[${at}]` }))
  }
  if (!isInputObjectType(nullable) || value.kind !== Kind.OBJECT) return []
  return value.fields.flatMap(({ name, value: given }) => {
    const field = nullable.getFields()[name.value]
    return field ? [{ value: given, type: field.type, place: `${place}.${name.value}` }] : []
  })
}

/** An absent variable is no fault: valid documents have one only where a value may be absent. */
const isFaulty = ({ value, type }: Given, variables: Values): boolean =>
  valueFromAST(value, type, variables) === undefined &&
  !(value.kind === Kind.VARIABLE && variables[value.name.value] === undefined)

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  getVariableValues,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { conditionVariables } from '../../../formats/graphql/documents.ts'
import { variableFault } from '../../../formats/variable-fault.ts'
import { getOwn, isNumberObject, type Json, setOwn } from '../executor/own.ts'
import type { JsonReader } from '../json-reader.ts'
import { clientVariable, isOfPlans } from '../planning/response-key.ts'

/** Faults that one request is answered with: each repeats a part of its variables, which takes time and memory. */
const MAX_FAULTS = 10

/** Checks the variables of a request. */
export type Coerce = (variables: Json) => Json | GraphQLError[]

/**
 * Compiles how an operation's variables are checked against the schema. Subgraphs get them as the client sent them, with
 * defaults filled in.
 * @param showsSchema whether faults may name the values of enums
 */
export function compileVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  json: Pick<JsonReader, 'lossOf'>,
  showsSchema = false,
): Coerce {
  const valuesOf = showsSchema ? enumValues(schema) : undefined
  const definitions = operation.variableDefinitions ?? []
  if (definitions.length === 0) return () => NONE
  const nullable = new Set(
    definitions
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  )
  const renamed = definitions.map(({ variable }) => variable.name.value).filter(isOfPlans)
  // One that may be null passes validation if it has a default.
  const conditions = conditionVariables(document).filter((name) => nullable.has(name))
  return (variables) => {
    const coerce = (given: Json) =>
      getVariableValues(schema, definitions, given, { maxErrors: MAX_FAULTS })
    const exact = coerce(variables)
    const { given, losses } = exact.coerced
      ? { given: variables, losses: [] }
      : withDoubles(schema, definitions, variables, json)
    if (losses.length > 0) return losses.slice(0, MAX_FAULTS).map((loss) => badInput(loss))
    const { errors, coerced } = exact.coerced ? exact : coerce(given)
    if (!coerced)
      return errors.map(({ message, nodes }) => badInput(variableFault(message, valuesOf), nodes))
    const values = { ...coerced, ...given }
    const missing = conditions.filter((name) => typeof getOwn(values, name) !== 'boolean')
    if (missing.length > 0)
      return missing.map((name) =>
        badInput(`Variable "$${name}" decides @skip or @include and must not be null.`),
      )
    for (const name of renamed)
      if (Object.hasOwn(values, name)) values[clientVariable(name)] = values[name]
    return values
  }
}

/**
 * An exact number is no Float: where one stands for a Float or an Int, it becomes a double. As an ID it would name
 * something else then, and custom scalars take it as it is.
 */
function withDoubles(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Json,
  { lossOf }: Pick<JsonReader, 'lossOf'>,
): { given: Json; losses: string[] } {
  const losses: string[] = []
  const fitted = (value: unknown, type: GraphQLType | undefined, place: string): unknown => {
    if (typeof value !== 'object' || value === null || !type) return value
    const nullable = getNullableType(type)
    if (isListType(nullable))
      return Array.isArray(value)
        ? value.map((item, at) => fitted(item, nullable.ofType, `${place}[${at}]`))
        : fitted(value, nullable.ofType, place)
    if (isNumberObject(value)) {
      const { name } = getNamedType(nullable)
      const loss = name === 'ID' ? lossOf(value) : undefined
      if (loss) losses.push(`${place}: ${loss}`)
      return name === 'Float' || name === 'Int' ? value.valueOf() : value
    }
    if (!isInputObjectType(nullable) || Array.isArray(value)) return value
    const fields = nullable.getFields()
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        fitted(inner, fields[name]?.type, `${place}.${name}`),
      ]),
    )
  }
  const given = { ...variables }
  for (const { variable, type } of definitions) {
    const name = variable.name.value
    const value = getOwn(variables, name)
    if (value !== undefined)
      setOwn(given, name, fitted(value, typeFromAST(schema, type), `$${name}`))
  }
  return { given, losses }
}

const enumValues = (schema: GraphQLSchema) => (name: string) => {
  const type = schema.getType(name)
  const values = isEnumType(type) ? type.getValues() : []
  return values.length > MAX_NAMED ? [] : values.map((each) => each.name)
}

/** Values of an enum; of a larger one its type is named. */
const MAX_NAMED = 20

const NONE: Json = Object.freeze({})

const badInput = (message: string, nodes?: GraphQLError['nodes']): GraphQLError =>
  new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } })

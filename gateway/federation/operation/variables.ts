import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { variableFault } from '../../../schema/variable-fault.ts'
import { conditionVariables } from '../../../subgraphs/platform/documents.ts'
import { getOwn, type Json } from '../executor/own.ts'
import type { JsonReader } from '../json-reader.ts'
import { REPRESENTATIONS } from '../planning/response-key.ts'

/** Faults that one request is answered with: each repeats a part of its variables, which takes time and memory. */
const MAX_FAULTS = 10

/** Checks the variables of a request. */
export type Coerce = (variables: Json) => Json | GraphQLError[]

/**
 * Compiles how an operation's variables are checked against the schema. Subgraphs get them as the client sent them, with
 * defaults filled in.
 */
export function compileVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { rounded }: Pick<JsonReader, 'rounded'>,
): Coerce {
  const definitions = operation.variableDefinitions ?? []
  if (definitions.length === 0) return () => NONE
  const nullable = new Set(
    definitions
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  )
  // One that may be null passes validation if it has a default.
  const conditions = conditionVariables(document).filter((name) => nullable.has(name))
  return (variables) => {
    const coerce = (given: Json) =>
      getVariableValues(schema, definitions, given, { maxErrors: MAX_FAULTS })
    const exact = coerce(variables)
    // An exact number is no Float; where one stands for a Float, the variables become doubles.
    const given = exact.coerced ? variables : rounded(variables)
    const { errors, coerced } = given === variables ? exact : coerce(given)
    if (!coerced) return errors.map(({ message, nodes }) => badInput(variableFault(message), nodes))
    const values = { ...coerced, ...given }
    const missing = conditions.filter((name) => typeof getOwn(values, name) !== 'boolean')
    if (missing.length > 0)
      return missing.map((name) =>
        badInput(`Variable "$${name}" decides @skip or @include and must not be null.`),
      )
    if (Object.hasOwn(values, REPRESENTATIONS.plans))
      values[REPRESENTATIONS.clients] = values[REPRESENTATIONS.plans]
    return values
  }
}

const NONE: Json = Object.freeze({})

const badInput = (message: string, nodes?: GraphQLError['nodes']): GraphQLError =>
  new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT' } })

import { randomUUID } from 'node:crypto'
import {
  type DocumentNode,
  type FloatValueNode,
  type GraphQLSchema,
  getNamedType,
  type IntValueNode,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type StringValueNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { JsonReader } from '../json-reader.ts'
import { mapFetches, type PlanRoot } from '../planning/map-fetches.ts'

/** Begins the texts that stand for numbers. Clients cannot know it. */
const MARK = `number ${randomUUID()}:`
const MARKED = new RegExp(`"${MARK}([^"]+)"`, 'g')

type NumberNode = IntValueNode | FloatValueNode

/** Custom scalars of a schema read literals as JSON is read, such as the defaults of variables. */
export function withLiterals(
  schema: GraphQLSchema,
  { literal }: Pick<JsonReader, 'literal'>,
): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isScalarType(type) && !isSpecifiedScalarType(type)) type.parseLiteral = literal
  return schema
}

/**
 * Defect, in any graph: the planner reads literals as doubles and writes them anew.
 *
 *     scalar Any type Query { p(any: Any): Int }
 *     { p(any: {n: 12345678901234567890.1}) } → {n: 12345678901234567000}
 *
 * Here, in values of custom scalars, a number that this would change becomes a text, which `withNumbers` makes a number
 * again. Text to file: "Literals of custom scalars lose digits". Can go when the planner keeps literals as they are.
 */
export function withMarkedNumbers(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  if (!hasExact(document)) return document
  const types = new TypeInfo(schema)
  const mark = (node: NumberNode): StringValueNode | undefined => {
    const type = getNamedType(types.getInputType())
    // Within a value of a custom scalar nothing has a type.
    if ((type && isSpecifiedScalarType(type)) || !isExact(node)) return undefined
    return { kind: Kind.STRING, value: MARK + node.value }
  }
  return visit(document, visitWithTypeInfo(types, { IntValue: mark, FloatValue: mark }))
}

/** True if a double writes the number in another way. */
const isExact = ({ value }: NumberNode): boolean => String(Number(value)) !== value

function hasExact(document: DocumentNode): boolean {
  let has = false
  const look = (node: NumberNode) => {
    has ||= isExact(node)
  }
  visit(document, { IntValue: look, FloatValue: look })
  return has
}

/** Puts the numbers back into the operations of a plan. */
export const withNumbers = (plan: PlanRoot): PlanRoot =>
  mapFetches(plan, (fetch) => ({
    ...fetch,
    operation: fetch.operation.replaceAll(MARKED, '$1'),
  }))

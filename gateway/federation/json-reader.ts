import { type ValueNode, valueFromASTUntyped } from 'graphql'
import type { Json } from './executor/own.ts'

/** How JSON and literals of GraphQL are read. A reader may have objects of its own for numbers: leaves with `toJSON`, whose `valueOf` is a number. */
export interface JsonReader {
  parse(text: string): unknown
  /** Does the same for libraries that call JSON.parse themselves. */
  revive?: ((key: string, value: unknown) => unknown) | undefined
  /** The value of a literal of a custom scalar. */
  literal(node: ValueNode, variables?: Json | null): unknown
  /** The same variables with doubles for numbers that only custom scalars take; a copy only where there are any. */
  rounded(variables: Json): Json
}

export const PLAIN_JSON: JsonReader = {
  parse: JSON.parse,
  literal: valueFromASTUntyped,
  rounded: (variables) => variables,
}

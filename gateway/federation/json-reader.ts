import { type ValueNode, valueFromASTUntyped } from 'graphql'
import type { Json } from './executor/own.ts'

/** Reader of JSON and of literals of GraphQL. A reader may have objects of its own for numbers: leaves with `toJSON`, whose `valueOf` is a number. */
export interface JsonReader {
  parse(text: string): unknown
  /** Does the same for libraries that call JSON.parse themselves. */
  revive?: ((key: string, value: unknown) => unknown) | undefined
  /** The value of a literal of a custom scalar. */
  literal(node: ValueNode, variables?: Json | null): unknown
  /** Why no double can stand for such an object; undefined where one comes near. */
  lossOf(number: object): string | undefined
}

export const PLAIN_JSON: JsonReader = {
  parse: JSON.parse,
  literal: valueFromASTUntyped,
  lossOf: () => undefined,
}

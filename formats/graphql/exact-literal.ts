import { Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { numberOf } from '../json/exact-number.ts'

/** A literal of a scalar that takes any JSON; numbers keep their digits. */
export function exactLiteral(node: ValueNode, variables?: Record<string, unknown> | null): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return numberOf(node.value)
    case Kind.LIST:
      return node.values.map((item) => exactLiteral(item, variables))
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, exactLiteral(value, variables)]),
      )
    default:
      return valueFromASTUntyped(node, variables)
  }
}

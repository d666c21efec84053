import {
  type ConstDirectiveNode,
  type DocumentNode,
  Kind,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { linkedDirectives } from './linked-directives.ts'

/** Size of a list by `@listSize`. */
export interface ListSize {
  assumedSize?: number
  /** Arguments that bound the list; paths with dots lead into input objects. */
  slicingArguments?: readonly string[]
  /** Fields below that have the list, where the field itself has none. */
  sizedFields?: readonly string[]
}

/** Weights and sizes by `@cost` and `@listSize` (the cost specification of federation 2.9). */
export interface CostTable {
  /** By `Type`, `Type.field`, `Type.field(argument)` and `Input.field`. */
  weights: ReadonlyMap<string, number>
  /** By `Type.field`. */
  listSizes: ReadonlyMap<string, ListSize>
}

/** @returns undefined for a supergraph without these directives */
export function costTableOf(supergraph: DocumentNode): CostTable | undefined {
  const linked = linkedDirectives(supergraph)
  const weights = new Map<string, number>()
  const listSizes = new Map<string, ListSize>()
  const note = (place: string, directives: readonly ConstDirectiveNode[] = []) => {
    for (const directive of directives) {
      const { feature, name } = linked(directive.name.value) ?? {}
      if (feature !== 'cost') continue
      const given = argumentsOf(directive)
      if (name === 'cost' && typeof given.weight === 'number') weights.set(place, given.weight)
      if (name === 'listSize') listSizes.set(place, given as ListSize) // as composition validates it
    }
  }
  visit(supergraph, {
    enter(node) {
      switch (node.kind) {
        case Kind.SCALAR_TYPE_DEFINITION:
        case Kind.ENUM_TYPE_DEFINITION:
          return note(node.name.value, node.directives)
        case Kind.INPUT_OBJECT_TYPE_DEFINITION:
          for (const field of node.fields ?? [])
            note(`${node.name.value}.${field.name.value}`, field.directives)
          return
        case Kind.OBJECT_TYPE_DEFINITION:
        case Kind.INTERFACE_TYPE_DEFINITION:
          note(node.name.value, node.directives)
          for (const field of node.fields ?? []) {
            const place = `${node.name.value}.${field.name.value}`
            note(place, field.directives)
            for (const argument of field.arguments ?? [])
              note(`${place}(${argument.name.value})`, argument.directives)
          }
      }
    },
  })
  return weights.size + listSizes.size > 0 ? { weights, listSizes } : undefined
}

const argumentsOf = ({ arguments: args = [] }: ConstDirectiveNode): Record<string, unknown> =>
  Object.fromEntries(
    args
      .map(({ name, value }) => [name.value, valueFromASTUntyped(value)] as const)
      .filter(([, value]) => value !== null),
  )

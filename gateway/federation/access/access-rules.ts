import {
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { linkedDirectives } from '../supergraph/linked-directives.ts'

/** Condition for a caller to get a field. Lists within lists: one of the outer, all of the inner. */
export type Requirement =
  | { kind: 'authenticated' }
  | { kind: 'scopes' | 'policies'; anyOf: readonly (readonly string[])[] }

/** Requirements of a supergraph by `@authenticated`, `@requiresScopes` and `@policy`. */
export interface AccessRules {
  /** To see objects, or values, of a type: all of these. */
  ofType(type: GraphQLNamedType): readonly Requirement[]
  /** To get a field of an object, or of an interface whose types may each require more. */
  ofField(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): readonly Requirement[]
  policies: readonly string[]
}

/** @returns undefined for a supergraph that requires nothing */
export function accessRulesOf(
  supergraph: DocumentNode,
  schema: GraphQLSchema,
): AccessRules | undefined {
  const own = requirementsIn(supergraph)
  if (own.size === 0) return undefined
  const at = (place: string) => own.get(place) ?? []
  const ofType = ({ name }: GraphQLNamedType) => at(name)
  const ofOwnField = (type: GraphQLNamedType, field: GraphQLField<unknown, unknown>) => [
    ...at(`${type.name}.${field.name}`),
    ...ofType(getNamedType(field.type)),
  ]
  return {
    ofType,
    ofField(type, field) {
      if (!isInterfaceType(type)) return ofOwnField(type, field)
      // Composition gives an interface what its types require; before 2.12 it did not.
      const { objects, interfaces } = schema.getImplementations(type)
      return [
        ...ofOwnField(type, field),
        ...[...objects, ...interfaces].flatMap((each) => [
          ...ofType(each),
          ...ofOwnField(each, each.getFields()[field.name] ?? field),
        ]),
      ]
    },
    policies: [...own.values()]
      .flat()
      .flatMap((each) => (each.kind === 'policies' ? each.anyOf.flat() : [])),
  }
}

/** By `Type` and `Type.field`. */
function requirementsIn(supergraph: DocumentNode): Map<string, Requirement[]> {
  const found = new Map<string, Requirement[]>()
  const linked = linkedDirectives(supergraph)
  const note = (place: string, directives: readonly ConstDirectiveNode[] = []) => {
    const required = directives.flatMap((directive) => {
      const { feature, name } = linked(directive.name.value) ?? {}
      return feature === name ? (requirementOf(feature, directive) ?? []) : []
    })
    if (required.length > 0) found.set(place, [...(found.get(place) ?? []), ...required])
  }
  visit(supergraph, {
    enter(node) {
      if (!('name' in node) || !node.name) return
      if (node.kind === Kind.SCALAR_TYPE_DEFINITION || node.kind === Kind.ENUM_TYPE_DEFINITION)
        note(node.name.value, node.directives)
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION)
        return
      note(node.name.value, node.directives)
      for (const field of node.fields ?? [])
        note(`${node.name.value}.${field.name.value}`, field.directives)
    },
  })
  return found
}

function requirementOf(
  feature: string | undefined,
  { arguments: args = [] }: ConstDirectiveNode,
): Requirement | undefined {
  if (feature === 'authenticated') return { kind: 'authenticated' }
  const listOf = (name: string) => {
    const value = args.find((argument) => argument.name.value === name)?.value
    const given: unknown = value ? valueFromASTUntyped(value) : []
    // As input coercion has it, a value stands for a list of one.
    return [given].flat().map((all) => [all].flat().map(String))
  }
  if (feature === 'requiresScopes') return { kind: 'scopes', anyOf: listOf('scopes') }
  return feature === 'policy' ? { kind: 'policies', anyOf: listOf('policies') } : undefined
}

export const fieldOf = (type: GraphQLNamedType, name: string) =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined

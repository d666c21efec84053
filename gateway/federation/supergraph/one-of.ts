import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  isInputObjectType,
  visit,
} from 'graphql'

/**
 * Takes `@oneOf` out of a supergraph for the planner, which refuses it without a definition, and drops it with one.
 * GraphQL has it built in since September 2025.
 */
export function withoutOneOf(supergraph: DocumentNode): { names: string[]; rest: DocumentNode } {
  const names: string[] = []
  const isOther = ({ name }: DirectiveNode) => name.value !== 'oneOf'
  const rest = visit(supergraph, {
    DirectiveDefinition: ({ name }) => (name.value === 'oneOf' ? null : undefined),
    InputObjectTypeDefinition(type) {
      const directives = type.directives?.filter(isOther)
      if (directives?.length === type.directives?.length) return undefined
      names.push(type.name.value)
      return { ...type, directives }
    },
  })
  return { names, rest }
}

/** Has exactly one field given of each of these input types. */
export function enforceOneOf(schema: GraphQLSchema, names: readonly string[]): void {
  for (const name of names) {
    const type = schema.getType(name)
    if (isInputObjectType(type)) type.isOneOf = true
  }
}

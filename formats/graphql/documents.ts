import { type DocumentNode, type FragmentDefinitionNode, Kind, visit } from 'graphql'

/** The fragments of a document by their names. */
export function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  return fragments
}

/** The variables that decide which fields are selected, by `@skip` and `@include`. */
export function conditionVariables(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, {
    Directive({ name, arguments: given }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of given ?? [])
        if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

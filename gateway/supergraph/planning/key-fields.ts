import { type ConstDirectiveNode, type DocumentNode, visit } from 'graphql'
import { visitFieldSet } from './field-set.ts'
import { argumentOf } from './join-directive.ts'

/** @returns `GRAPH.Type` → paths of the fields of its keys */
export function keysOf(supergraph: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>()
  const add = (type: string, directive: ConstDirectiveNode): void => {
    const fieldSet = argumentOf(directive, 'key')
    if (directive.name.value !== 'join__type' || !fieldSet) return
    const name = `${argumentOf(directive, 'graph')}.${type}`
    const paths = keys.get(name) ?? new Set()
    keys.set(name, paths)
    visitFieldSet(fieldSet, (field, path) => {
      if (!field.selectionSet) paths.add(path)
      return undefined
    })
  }
  const addAll = (type: {
    readonly name: { readonly value: string }
    readonly directives?: readonly ConstDirectiveNode[] | undefined
  }): void => {
    for (const directive of type.directives ?? []) add(type.name.value, directive)
  }
  visit(supergraph, { ObjectTypeDefinition: addAll, InterfaceTypeDefinition: addAll })
  return keys
}

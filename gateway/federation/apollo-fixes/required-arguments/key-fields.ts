import { type ConstDirectiveNode, type DocumentNode, visit } from 'graphql'
import type { TypeKeys } from '../../executor/entity-fetch.ts'
import { argumentOf } from '../../supergraph/join-directive.ts'
import { visitFieldSet } from './field-set.ts'

/** Subgraph → type → its keys. */
export type Keys = ReadonlyMap<string, ReadonlyMap<string, TypeKeys>>

export function keysOf(supergraph: DocumentNode): Keys {
  const graphs = new Map<string, Map<string, TypeKeys>>()
  const add = (type: string, directive: ConstDirectiveNode): void => {
    const fieldSet = argumentOf(directive, 'key')
    if (directive.name.value !== 'join__type' || !fieldSet) return
    const graph = argumentOf(directive, 'graph') ?? ''
    const types = graphs.get(graph) ?? new Map<string, TypeKeys>()
    const keys = types.get(type) ?? { fields: [], paths: new Set() }
    graphs.set(graph, types)
    types.set(type, keys)
    const fields: string[] = []
    visitFieldSet(fieldSet, (field, path) => {
      if (path === field.name.value) fields.push(path)
      if (!field.selectionSet) keys.paths.add(path)
      return undefined
    })
    keys.fields.push(fields)
  }
  const addAll = (type: {
    readonly name: { readonly value: string }
    readonly directives?: readonly ConstDirectiveNode[] | undefined
  }): void => {
    for (const directive of type.directives ?? []) add(type.name.value, directive)
  }
  visit(supergraph, { ObjectTypeDefinition: addAll, InterfaceTypeDefinition: addAll })
  return graphs
}

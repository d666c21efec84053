import { type ConstDirectiveNode, type DocumentNode, visit } from 'graphql'
import type { TypeKeys } from '../../executor/entity-fetch.ts'
import { requiredIn } from '../../executor/requires.ts'
import { argumentOf } from '../../supergraph/join-directive.ts'
import { type Composite, parseFieldSet, selectionsOf } from './field-set.ts'

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
    const paths = [...requiredIn(selectionsOf(parseFieldSet(fieldSet))).keys()]
    keys.fields.push(paths.filter((path) => !path.includes('.')))
    for (const path of paths) keys.paths.add(path)
  }
  const addAll = ({ name, directives = [] }: Composite): void => {
    for (const directive of directives) add(name.value, directive)
  }
  visit(supergraph, { ObjectTypeDefinition: addAll, InterfaceTypeDefinition: addAll })
  return graphs
}

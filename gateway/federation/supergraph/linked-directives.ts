import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  Kind,
  visit,
} from 'graphql'
import { argumentOf } from './join-directive.ts'

const FEATURE = /^https:\/\/specs\.apollo\.dev\/([\w-]+)\/v[\d.]+$/

/** A directive of a specification, whatever a supergraph calls it. */
export interface LinkedDirective {
  /** Name of the specification, such as `requiresScopes`. */
  feature: string
  /** Name there, such as `listSize`. */
  name: string
}

/** Says what a directive of a supergraph is, by its `@link`s: they may import names, rename them, or leave them with a prefix. */
export function linkedDirectives(
  supergraph: DocumentNode,
): (name: string) => LinkedDirective | undefined {
  const imported = new Map<string, LinkedDirective>()
  const namespaces = new Map<string, string>()
  const read = (directive: ConstDirectiveNode) => {
    const [, feature] = FEATURE.exec(argumentOf(directive, 'url') ?? '') ?? []
    if (directive.name.value !== 'link' || !feature) return
    namespaces.set(argumentOf(directive, 'as') ?? feature, feature)
    for (const [alias, name] of importsOf(directive)) imported.set(alias, { feature, name })
  }
  visit(supergraph, {
    SchemaDefinition: ({ directives = [] }) => void directives.forEach(read),
    SchemaExtension: ({ directives = [] }) => void directives.forEach(read),
  })
  return (name) => {
    const [namespace = '', below] = name.split('__', 2)
    const feature = namespaces.get(namespace)
    return imported.get(name) ?? (feature ? { feature, name: below ?? feature } : undefined)
  }
}

/** Directives that a `@link` imports: their names here, and in the specification. */
function importsOf({ arguments: args = [] }: ConstDirectiveNode): [string, string][] {
  const list = args.find(({ name }) => name.value === 'import')?.value
  const values = list?.kind === Kind.LIST ? list.values : []
  return values.flatMap((value): [string, string][] => {
    const fields = value.kind === Kind.OBJECT ? value.fields : []
    const name = textOf(value) ?? textOf(fields.find((each) => each.name.value === 'name')?.value)
    const alias = textOf(fields.find((each) => each.name.value === 'as')?.value) ?? name
    return name?.startsWith('@') && alias ? [[alias.slice(1), name.slice(1)]] : []
  })
}

const textOf = (value: ConstValueNode | undefined): string | undefined =>
  value?.kind === Kind.STRING ? value.value : undefined

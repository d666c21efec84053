import { parse, visit } from 'graphql'
import { argumentOf } from './join-directive.ts'

/** A subgraph as a supergraph names it. */
export interface NamedSubgraph {
  name: string
  /** Address of the subgraph. */
  url: string
}

/** The subgraphs of a supergraph, with their routing URLs. @throws Error that names every subgraph without a usable one */
export function subgraphsOf(supergraphSdl: string): NamedSubgraph[] {
  const subgraphs: NamedSubgraph[] = []
  visit(parse(supergraphSdl, { noLocation: true }), {
    EnumValueDefinition({ directives = [] }) {
      for (const directive of directives)
        if (directive.name.value === 'join__graph')
          subgraphs.push({
            name: argumentOf(directive, 'name') ?? '',
            url: argumentOf(directive, 'url') ?? '',
          })
    },
  })
  if (subgraphs.length === 0) throw new Error('It names no subgraph: no value has @join__graph')
  const faults = subgraphs.filter(({ url }) => !/^https?:/.test(url) || !URL.canParse(url))
  if (faults.length > 0)
    throw new Error(
      `It has no http or https address for: ${faults.map(({ name }) => name).join(', ')}`,
    )
  return subgraphs
}

import { type DocumentNode, visit } from 'graphql'
import { argumentOf } from './join-directive.ts'

/** Labels of `@override`: they say for which requests a field has moved to another subgraph. */
export interface OverrideLabels {
  /** Draws, for one request, the labels that are on. */
  draw(): readonly string[]
  /** Labels that are no `percent(n)`; they are off. */
  others: readonly string[]
}

/** @param given labels that the operator sets: on, off, or for a percentage of requests */
export function overrideLabelsOf(
  supergraph: DocumentNode,
  given: Readonly<Record<string, boolean | number>> = {},
): OverrideLabels {
  const labels = new Set<string>()
  visit(supergraph, {
    Directive(directive) {
      const label = argumentOf(directive as Parameters<typeof argumentOf>[0], 'overrideLabel')
      if (directive.name.value === 'join__field' && label) labels.add(label)
    },
  })
  const percents = [...labels].sort().map((label) => [label, percentOf(label, given)] as const)
  return {
    draw: () =>
      percents.flatMap(([label, percent]) => (Math.random() * 100 < percent ? [label] : [])),
    others: percents.filter(([, percent]) => Number.isNaN(percent)).map(([label]) => label),
  }
}

/** NaN, which nothing is below, for other labels. */
const percentOf = (label: string, given: Readonly<Record<string, boolean | number>>): number =>
  Object.hasOwn(given, label)
    ? Number(given[label]) * (given[label] === true ? 100 : 1)
    : Number(/^percent\((\d+(?:\.\d+)?)\)$/.exec(label)?.[1] ?? Number.NaN)

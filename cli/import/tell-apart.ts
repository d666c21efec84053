import type { Scenario } from './scenario.ts'

/** A scenario, and what stands around it: its file or suite. */
export interface Placed {
  scenario: Scenario
  place: string
}

/**
 * Gives each scenario a name of its own, as results of one name are one history: where names are alike, the place stands
 * in front; where places are alike as well, the second and later ones are numbered in their order.
 */
export function tellApart(placed: readonly Placed[]): Scenario[] {
  const places = new Map<string, Set<string>>()
  for (const { scenario, place } of placed)
    places.set(scenario.name, (places.get(scenario.name) ?? new Set()).add(place))
  const seen = new Map<string, number>()
  return placed.map(({ scenario, place }) => {
    const isShared = place !== '' && (places.get(scenario.name)?.size ?? 0) > 1
    const name = isShared ? `${place} › ${scenario.name}` : scenario.name
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { ...scenario, name: count === 1 ? name : `${name} (${count})` }
  })
}

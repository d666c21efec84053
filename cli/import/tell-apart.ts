/** A scenario, and its file. */
export interface Placed<Each> {
  scenario: Each
  place: string
}

/**
 * Gives each scenario a name of its own, as results of one name are one history: where names are alike, the file is part
 * of them; where files are alike as well, the second and later ones are numbered in their order.
 */
export function tellApart<Each extends { name: string }>(placed: readonly Placed<Each>[]): Each[] {
  const places = new Map<string, Set<string>>()
  for (const { scenario, place } of placed)
    places.set(scenario.name, (places.get(scenario.name) ?? new Set()).add(place))
  const seen = new Map<string, number>()
  return placed.map(({ scenario, place }) => {
    const isShared = place !== '' && (places.get(scenario.name)?.size ?? 0) > 1
    const name = isShared ? `${scenario.name} [${place}]` : scenario.name
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { ...scenario, name: count === 1 ? name : `${name} (${count})` }
  })
}

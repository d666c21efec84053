import { relative, resolve, sep } from 'node:path'

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
  const names = numbered(
    placed.map(({ scenario: { name }, place }) =>
      place !== '' && (places.get(name)?.size ?? 0) > 1 ? `${name} [${place}]` : name,
    ),
  )
  return placed.map(({ scenario }, at) => ({ ...scenario, name: names[at] ?? scenario.name }))
}

/** Numbers the second and later ones of a name, never so that they take the name of another. */
export function numbered(names: readonly string[]): string[] {
  const given = new Set(names)
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return names.map((name) => {
    let own = name
    let nth = next.get(name) ?? 2
    while (taken.has(own) || (own !== name && given.has(own))) own = `${name} (${nth++})`
    next.set(name, nth)
    taken.add(own)
    return own
  })
}

/** Names that tell several files apart, the same wherever their common folder lies; standard input is `-`. */
export function placesOf(paths: readonly string[]): string[] {
  const parts = paths.map((path) => resolve(path).split(sep).slice(0, -1))
  const [first = []] = parts
  const differing = first.findIndex((part, at) => parts.some((each) => each[at] !== part))
  const common = first.slice(0, differing === -1 ? first.length : differing).join(sep) || sep
  return paths.map((path) =>
    path === '-' ? path : relative(common, resolve(path)).split(sep).join('/'),
  )
}

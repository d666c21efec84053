/** A scenario of a suite or a step of a scenario, by what finds it again in another execution. */
export interface Part {
  /** Id of the scenario; of a step its path. */
  path: string
  /** Environment in which the scenario ran. */
  environmentId: string | null
}

export interface Pair<Item> {
  path: string
  /** Null unless a scenario of either execution ran in several. */
  environmentId: string | null
  /** One of both is there. */
  before: Item | null
  after: Item | null
}

/**
 * Parts of two executions side by side: those of the later one in its order, then those that only the earlier one has.
 * The environment counts only where a scenario ran in several. Parts that are still alike pair in their order.
 */
export function pairsOf<Item extends Part>(
  before: readonly Item[],
  after: readonly Item[],
): Pair<Item>[] {
  const inSeveral = [before, after].some(isInSeveral)
  const placeOf = ({ path, environmentId }: Part) => ({
    path,
    environmentId: inSeveral ? environmentId : null,
  })
  const keyOf = (part: Part) => JSON.stringify(placeOf(part))
  // Map.groupBy is younger than Node 20, on which the command runs.
  const left = new Map<string, Item[]>()
  for (const part of before) {
    const key = keyOf(part)
    const alike = left.get(key)
    if (alike) alike.push(part)
    else left.set(key, [part])
  }
  const paired = after.map((part) => ({
    ...placeOf(part),
    before: left.get(keyOf(part))?.shift() ?? null,
    after: part,
  }))
  const known = new Set(paired.map((pair) => pair.before))
  const removed = before
    .filter((part) => !known.has(part))
    .map((part) => ({ ...placeOf(part), before: part, after: null }))
  return [...paired, ...removed]
}

function isInSeveral(parts: readonly Part[]): boolean {
  const keys = parts.map(({ path, environmentId }) => JSON.stringify([path, environmentId]))
  return new Set(keys).size > new Set(parts.map(({ path }) => path)).size
}

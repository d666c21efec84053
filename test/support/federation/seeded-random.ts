/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface SeededRandom {
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new Error('There is nothing to pick from')
      return items[below(items.length)] as (typeof items)[number]
    },
  }
}

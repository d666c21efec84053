import { useEffect, useEffectEvent, useRef } from 'react'

/** How long updates are gathered, so that a burst of them draws the page once. */
const GATHER_MS = 200

/** @returns takes an item; `apply` gets those of a short time together, in their order */
export function useBatch<Item>(
  apply: (items: readonly Item[]) => void,
  gatherMs = GATHER_MS,
): (item: Item) => void {
  const items = useRef<Item[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const flush = useEffectEvent(() => {
    timer.current = undefined
    const gathered = items.current
    items.current = []
    apply(gathered)
  })
  const flushed = useRef(() => {})
  useEffect(() => {
    flushed.current = () => flush()
    return () => clearTimeout(timer.current)
  }, [])
  return (item) => {
    items.current.push(item)
    timer.current ??= setTimeout(() => flushed.current(), gatherMs)
  }
}

/** Changed rows of a list take their places by id: the same place, or in front. */
export function latestFirst<Row extends { id: string }>(
  rows: readonly Row[],
  changed: readonly Row[],
  { moves, isWanted = () => true }: { moves: boolean; isWanted?(row: Row): boolean },
): Row[] {
  const latest = new Map(changed.map((row) => [row.id, row]))
  const kept = rows.flatMap((row) => {
    const next = latest.get(row.id)
    if (!next) return [row]
    if (moves || !isWanted(next)) return []
    latest.delete(row.id)
    return [next]
  })
  return [...[...latest.values()].filter(isWanted).reverse(), ...kept]
}

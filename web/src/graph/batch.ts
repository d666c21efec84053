import { useEffect, useEffectEvent, useRef } from 'react'

/** Time for which updates are gathered, so that a burst of them draws the page once. */
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

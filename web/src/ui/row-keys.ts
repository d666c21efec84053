import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isTyping } from '../app/keyboard.ts'

/** `j` and `k` move the focus over the links of rows, `x` chooses the row where rows can be chosen, `X` all from the last one. @param reveal scrolls a row in that is not in the page */
export function useRowKeys(body: RefObject<HTMLElement | null>, reveal?: (index: number) => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!body.current || isTyping(event)) return
    const row = document.activeElement?.closest<HTMLElement>('[data-index]')
    if (event.key.toLowerCase() === 'x' && row && body.current.contains(row))
      row
        .querySelector('input[type=checkbox]')
        ?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: event.shiftKey }))
    const step = { j: 1, k: -1 }[event.key]
    if (!step) return
    const from = row && body.current.contains(row) ? Number(row.dataset.index) : -1
    const to = Math.max(0, from + step)
    event.preventDefault()
    reveal?.(to)
    const focus = () => {
      const link = body.current?.querySelector<HTMLElement>(
        `[data-index="${to}"] :is(.cover, .node)`,
      )
      link?.focus({ preventScroll: Boolean(reveal) })
      return Boolean(link)
    }
    // At once, as Enter may follow; a row that is not drawn yet comes with the next frame.
    if (!focus()) requestAnimationFrame(focus)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

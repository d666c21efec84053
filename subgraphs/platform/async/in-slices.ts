import { setImmediate as nextTurn } from 'node:timers/promises'

/** Items that GraphQL completes in one turn of the event loop: a few milliseconds, with all of their fields. */
const SLICE = 250

/** A long list whose items GraphQL completes slice by slice, so that other requests have their turn meanwhile. */
export function inSlices<Item>(items: readonly Item[]): readonly (Item | Promise<Item>)[] {
  if (items.length <= SLICE) return items
  let turn: Promise<unknown> = Promise.resolve()
  return items.map((item, at) => {
    if (at % SLICE === 0 && at > 0) turn = turn.then(() => nextTurn())
    const made = turn.then(() => item)
    return made
  })
}

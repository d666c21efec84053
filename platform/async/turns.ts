import { setImmediate as nextTurn } from 'node:timers/promises'

export { nextTurn }

/** Time for making pieces before other work has its turn. */
const TURN_MS = 8

/** Makes a large text piece by piece, so that other requests have their turn meanwhile. @param onPart gets what each turn made */
export async function inTurns(
  pieces: Iterable<string>,
  onPart: (part: Buffer) => void = () => {},
): Promise<Buffer> {
  const parts: Buffer[] = []
  let text = ''
  const endPart = () => {
    const part = Buffer.from(text)
    onPart(part)
    parts.push(part)
    text = ''
  }
  let began = performance.now()
  for (const piece of pieces) {
    text += piece
    if (performance.now() - began < TURN_MS) continue
    endPart()
    await nextTurn()
    began = performance.now()
  }
  endPart()
  return Buffer.concat(parts)
}

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

/**
 * Collects the keys asked for in one turn of the event loop and loads them together.
 * @param load answers for any subset of the keys
 */
export function batched<Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting: Promise<Map<string, Value>> | undefined
  let keys = new Set<string>()

  const loadAll = (): Promise<Map<string, Value>> => {
    const asked = [...keys]
    keys = new Set()
    waiting = undefined
    return load(asked)
  }

  return async (key) => {
    keys.add(key)
    waiting ??= new Promise<void>((resolve) => setImmediate(resolve)).then(loadAll)
    return (await waiting).get(key)
  }
}

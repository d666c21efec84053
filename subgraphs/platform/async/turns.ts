import { setImmediate as nextTurn } from 'node:timers/promises'

/** Bytes that are made before other work has its turn: some milliseconds. */
const TURN_BYTES = 131_072

/** Makes a large text piece by piece, so that other requests have their turn meanwhile. @param onPiece gets each piece */
export async function inTurns(
  pieces: Iterable<string>,
  onPiece: (piece: Buffer) => void = () => {},
): Promise<Buffer> {
  const made: Buffer[] = []
  let inTurn = 0
  for (const text of pieces) {
    const piece = Buffer.from(text)
    onPiece(piece)
    made.push(piece)
    inTurn += piece.length
    if (inTurn < TURN_BYTES) continue
    await nextTurn()
    inTurn = 0
  }
  return Buffer.concat(made)
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

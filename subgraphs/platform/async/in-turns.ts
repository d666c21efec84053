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

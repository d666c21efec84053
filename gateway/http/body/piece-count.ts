import { AppError } from '../../../schema/errors.ts'

/** Pieces that any body may come in. */
const MAX_TINY_PIECES = 20_000
/** Of a body in more pieces than that, on average. */
const MIN_PIECE_BYTES = 16

/**
 * Counts the pieces of a body. Node calls back for each chunk of what it reads at a time, 2 MiB at most: 350 000 chunks
 * of one byte, for half a second in one turn of the event loop.
 */
export class PieceCount {
  #pieces = 0
  #bytes = 0

  /** @returns whether the body still comes in pieces of a sensible size */
  add({ length }: Buffer): boolean {
    this.#bytes += length
    return ++this.#pieces <= MAX_TINY_PIECES || this.#bytes >= this.#pieces * MIN_PIECE_BYTES
  }
}

export const tooManyPieces = () =>
  new AppError(
    'BAD_USER_INPUT',
    `The request body comes in more than ${MAX_TINY_PIECES} chunks of less than ${MIN_PIECE_BYTES} bytes on average: send larger chunks`,
  )

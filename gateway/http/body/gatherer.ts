/** Pieces of this size are passed on as they are. */
const ENOUGH_BYTES = 1_024
const ROOM_BYTES = 16 * 1024

/**
 * Makes few pieces of many small ones: a body may arrive byte by byte, and each buffer that is kept takes hundreds of
 * bytes. A body of one piece is not copied.
 */
export class Gatherer {
  readonly #onPiece: (piece: Buffer) => void
  #first: Buffer | undefined
  #room: Buffer | undefined
  #length = 0

  constructor(onPiece: (piece: Buffer) => void) {
    this.#onPiece = onPiece
  }

  /** @throws what `onPiece` throws, as `end` does */
  add(piece: Buffer): void {
    const isEnough = piece.length >= ENOUGH_BYTES
    if (isEnough || this.#length + piece.length > ROOM_BYTES) this.end()
    if (isEnough) this.#onPiece(piece)
    else {
      if (this.#length === 0) this.#first = piece
      else this.#copy(piece)
      this.#length += piece.length
    }
  }

  /** Passes on what it still holds. */
  end(): void {
    const held = this.#room?.subarray(0, this.#length) ?? this.#first
    this.#first = this.#room = undefined
    this.#length = 0
    if (held) this.#onPiece(held)
  }

  #copy(piece: Buffer): void {
    if (!this.#room) {
      this.#room = Buffer.allocUnsafeSlow(ROOM_BYTES)
      this.#first?.copy(this.#room)
    }
    piece.copy(this.#room, this.#length)
  }
}

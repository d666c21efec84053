import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../../../formats/errors.ts'
import { joined, parseBounded, utf8Of } from '../../../formats/json/json.ts'

/** Content coding (RFC 9110, 8.4.1; RFC 8878 for zstd) → what undoes it. */
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const

/** Event of a request when its body is wanted: one that expects 100 Continue gets it then, and a refusal before it instead. */
export const READ_BEGINS = 'readBegins'

/** Maximum bytes of a body, inflated, and the failure of one that has `7 bytes` or `more than 7 bytes`. */
export interface BodyLimit {
  bytes: number
  exceeded(actual: string): AppError
}

/**
 * Reads a body piece by piece, inflated, up to a limit: nothing of one that is announced to be over it, and no more of
 * one that turns out to be. What `onPiece` throws ends the reading, with the rest unread.
 * @throws what the limit makes; AppError UNSUPPORTED_MEDIA_TYPE for another coding; BAD_USER_INPUT for a body that is cut off, no such data, or in tiny chunks
 */
export function readPieces(
  request: IncomingMessage,
  limit: BodyLimit,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  const { 'content-length': announced } = request.headers
  if (Number(announced ?? 0) > limit.bytes) throw limit.exceeded(`${announced} bytes`)
  let bytes = 0
  const onBounded = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > limit.bytes) throw limit.exceeded(`more than ${limit.bytes} bytes`)
    onPiece(piece)
  }
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const isPlain = coding === 'identity' || coding === ''
  if (!isPlain && !Object.hasOwn(DECODERS, coding))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding: expected gzip, br, zstd, deflate or none',
    )
  request.emit(READ_BEGINS)
  if (isPlain) return read(request, request, onBounded)
  const decoder = DECODERS[coding as keyof typeof DECODERS]()
  return read(request, request.pipe(decoder), onBounded).finally(() => {
    request.unpipe(decoder)
    decoder.destroy()
  })
}

function read(
  request: IncomingMessage,
  stream: Readable,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  const gatherer = new Gatherer(onPiece)
  const count = new PieceCount()
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      isOver = true
      request.off('data', onArrival).pause()
      stream.off('data', onData).pause()
      reject(error)
    }
    const onArrival = (piece: Buffer) => {
      if (count.add(piece)) return
      // The chunks behind it are there already: keeping them would take as long as those before. `lingerBehind` then reads
      // nothing more, and ends the connection in its time.
      request.push = () => false
      stop(tooManyPieces())
    }
    const onData = (piece: Buffer) => {
      if (isOver) return
      try {
        gatherer.add(piece)
      } catch (error) {
        stop(error)
      }
    }
    let isOver = false
    const fail = (cause?: unknown) => {
      if (!isOver) reject(unreadable(cause))
      isOver = true
    }
    request.on('data', onArrival)
    stream.on('data', onData)
    stream.once('end', () => {
      isOver = true
      try {
        gatherer.end()
        resolve()
      } catch (error) {
        reject(error)
      }
    })
    stream.once('error', fail)
    request.once('error', fail)
    request.once('close', () => {
      if (!request.complete) fail()
    })
  })
}

const unreadable = (cause: unknown) =>
  new AppError('BAD_USER_INPUT', 'The request body is cut off, or not what Content-Encoding says', {
    cause,
  })

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

/** Pieces that any body may come in. */
const MAX_TINY_PIECES = 10_000
/** Minimum average of a piece, for bodies in many pieces. */
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

const tooManyPieces = () =>
  new AppError(
    'BAD_USER_INPUT',
    `The request body comes in more than ${MAX_TINY_PIECES} chunks of less than ${MIN_PIECE_BYTES} bytes on average: send larger chunks`,
  )

const JSON_TYPE = /^application\/json\s*(;|$)/i
/** RFC 9512, and what was used before it. */
const YAML_TYPE = /^(application\/([\w.+-]+\+|x-)?|text\/(x-)?)yaml\s*(;|$)/i

/** @throws AppError UNSUPPORTED_MEDIA_TYPE unless the type is JSON, with whatever parameters */
export function requireJson(contentType = ''): void {
  if (!JSON_TYPE.test(contentType.trim())) throw unsupported('application/json')
}

const unsupported = (expected: string) =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', `Content-Type: expected ${expected}`)

/** A request whose body is still to be read. */
interface Unread {
  headers: Pick<IncomingHttpHeaders, 'content-type'>
  /** As the function of this name does. */
  readPieces(limit: BodyLimit, onPiece: (piece: Buffer) => void): Promise<void>
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT, or what the limit makes */
export async function readJson(request: Unread, limit: BodyLimit): Promise<unknown> {
  requireJson(request.headers['content-type'])
  return parseBounded(await readWhole(request, limit))
}

/** The same where the body may be YAML as well. @param readYaml what a text says @throws as `readJson` */
export async function readJsonOrYaml(
  request: Unread,
  limit: BodyLimit,
  readYaml: (text: string) => Promise<unknown>,
): Promise<unknown> {
  const type = (request.headers['content-type'] ?? '').trim()
  if (JSON_TYPE.test(type)) return readJson(request, limit)
  if (!YAML_TYPE.test(type)) throw unsupported('application/json or application/yaml')
  return readYaml(utf8Of(await readWhole(request, limit)))
}

/** @throws what the limit makes; AppError BAD_USER_INPUT for a body that is no UTF-8 */
export const readText = async (request: Unread, limit: BodyLimit): Promise<string> =>
  utf8Of(await readWhole(request, limit))

async function readWhole(request: Unread, limit: BodyLimit): Promise<Buffer> {
  const pieces: Buffer[] = []
  await request.readPieces(limit, (piece) => pieces.push(piece))
  return joined(pieces)
}

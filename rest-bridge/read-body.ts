import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../schema/errors.ts'
import { Gatherer } from './gatherer.ts'
import { PieceCount, tooManyPieces } from './piece-count.ts'

/** Content coding (RFC 9110, 8.4.1; RFC 8878 for zstd) → what undoes it. */
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const

/**
 * Reads a body and inflates it.
 * @param onBytes is told of each piece, inflated; what it throws ends the reading, with the rest unread
 * @throws as `readPieces`
 */
export async function readBody(
  request: IncomingMessage,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  await readPieces(request, (piece) => {
    onBytes(piece.length)
    pieces.push(piece)
  })
  return joined(pieces)
}

/**
 * The same for what works on pieces as they arrive.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another coding; BAD_USER_INPUT for a body that is cut off, no such data or
 *   in tiny chunks
 */
export function readPieces(
  request: IncomingMessage,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return read(request, request, onPiece)
  if (!Object.hasOwn(DECODERS, coding))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding: expected gzip, br, zstd, deflate or none',
    )
  const decoder = DECODERS[coding as keyof typeof DECODERS]()
  return read(request, request.pipe(decoder), onPiece).finally(() => {
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
      if (!count.add(piece)) stop(tooManyPieces())
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

export const joined = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

const unreadable = (cause: unknown) =>
  new AppError('BAD_USER_INPUT', 'The request body is cut off, or not what Content-Encoding says', {
    cause,
  })

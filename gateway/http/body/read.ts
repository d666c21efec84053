import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../../../schema/errors.ts'
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

/** How many bytes a body may have, inflated, and the failure of one that has `7 bytes` or `more than 7 bytes`. */
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
  if (coding === 'identity' || coding === '') return read(request, request, onBounded)
  if (!Object.hasOwn(DECODERS, coding))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding: expected gzip, br, zstd, deflate or none',
    )
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

const unreadable = (cause: unknown) =>
  new AppError('BAD_USER_INPUT', 'The request body is cut off, or not what Content-Encoding says', {
    cause,
  })

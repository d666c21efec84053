import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../schema/errors.ts'

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
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another coding; BAD_USER_INPUT for a body that is cut off or no such data
 */
export function readBody(
  request: IncomingMessage,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return collect(request, request, onBytes)
  if (!Object.hasOwn(DECODERS, coding))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding: expected gzip, br, zstd, deflate or none',
    )
  const decoder = DECODERS[coding as keyof typeof DECODERS]()
  return collect(request, request.pipe(decoder), onBytes).finally(() => {
    request.unpipe(decoder)
    decoder.destroy()
  })
}

function collect(
  request: IncomingMessage,
  stream: Readable,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const onData = (piece: Buffer) => {
      try {
        onBytes(piece.length)
        pieces.push(piece)
      } catch (error) {
        isOver = true
        stream.off('data', onData).pause()
        reject(error)
      }
    }
    let isOver = false
    const fail = (cause?: unknown) => {
      if (!isOver) reject(unreadable(cause))
      isOver = true
    }
    stream.on('data', onData)
    stream.once('end', () => {
      isOver = true
      resolve(joined(pieces))
    })
    stream.once('error', fail)
    request.once('error', fail)
    request.once('close', () => {
      if (!request.complete) fail()
    })
  })
}

const joined = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

const unreadable = (cause: unknown) =>
  new AppError('BAD_USER_INPUT', 'The request body is cut off, or not what Content-Encoding says', {
    cause,
  })

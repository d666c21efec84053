import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../../../schema/errors.ts'

/** Content coding (RFC 9110, 8.4.1; RFC 8878 for zstd) → what undoes it. */
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const

/**
 * Reads a body piece by piece, inflated. What `onPiece` throws ends the reading, with the rest unread.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another coding; BAD_USER_INPUT for a body that is cut off or no such data
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
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer) => {
      try {
        onPiece(piece)
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
      resolve()
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

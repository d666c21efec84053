import { AppError } from './errors.ts'
import { MAX_EXACT_NUMBERS, parseExact } from './exact-number.ts'
import { requireBounded } from './json-bounds.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError PAYLOAD_TOO_LARGE for too many values, BAD_USER_INPUT unless it is JSON in UTF-8 */
export function parseBounded(body: Uint8Array): unknown {
  requireBounded(body)
  return parseJson(body, MAX_EXACT_NUMBERS)
}

/**
 * Numbers keep their digits.
 * @param most how many of them may need more than a double
 * @throws AppError BAD_USER_INPUT unless it is JSON in UTF-8, PAYLOAD_TOO_LARGE for more such numbers
 */
export function parseJson(body: Uint8Array, most?: number): unknown {
  try {
    return parseExact(UTF8.decode(body), most)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('BAD_USER_INPUT', 'The request body is not valid JSON', { cause })
  }
}

/** @throws AppError BAD_USER_INPUT unless it is UTF-8 */
export function utf8Of(body: Uint8Array): string {
  try {
    return UTF8.decode(body)
  } catch (cause) {
    throw new AppError('BAD_USER_INPUT', 'The request body is not in UTF-8', { cause })
  }
}

/** No copy is made of a single piece. */
export const joined = (pieces: readonly Buffer[]): Buffer => {
  const [only] = pieces
  return only && pieces.length === 1 ? only : Buffer.concat(pieces)
}

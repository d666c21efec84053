import { AppError } from './errors.ts'
import { JsonScanner } from './json-scanner.ts'

/** Smaller texts cannot hold enough to be a burden. */
const UNSUSPICIOUS_BYTES = 64 * 1024

/**
 * Values in the JSON of one request, besides those that send events: parsing a few bytes for each takes far longer, and
 * far more memory, than the bytes suggest.
 */
const MAX_BODY_VALUES = 100_000
/** Lists and objects within each other. What reads them goes down level by level. */
const MAX_BODY_DEPTH = 1_000

/** @throws AppError PAYLOAD_TOO_LARGE before anything is made of a text that holds too much */
export function requireBounded(json: Uint8Array): void {
  if (json.length <= UNSUSPICIOUS_BYTES) return
  const scanner = new JsonScanner()
  for (let at = 0; at < json.length; ) {
    at = scanner.scan(json.subarray(0, at + UNSUSPICIOUS_BYTES), at, Number.NEGATIVE_INFINITY)
    if (scanner.deepest > MAX_BODY_DEPTH)
      throw tooMuch(
        `is nested deeper than ${MAX_BODY_DEPTH} levels (MAX_BODY_DEPTH): send it flatter`,
      )
    if (scanner.values > MAX_BODY_VALUES)
      throw tooMuch(
        `holds more than ${MAX_BODY_VALUES} values (MAX_BODY_VALUES): send less at a time`,
      )
  }
}

const tooMuch = (fault: string) => new AppError('PAYLOAD_TOO_LARGE', `The request body ${fault}`)

import { AppError } from '../errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d])
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const UNICODE_ESCAPE = 0x75
const LONGEST_WORD = 1_000

/** Kinds of bytes outside of strings; WORD is part of a number or a literal. */
const [WORD, STRING, OPENING, CLOSING, SEPARATOR, BLANK] = [0, 1, 2, 3, 4, 5]
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return STRING
  if (OPEN.has(byte)) return OPENING
  if (CLOSE.has(byte)) return CLOSING
  if (byte === COMMA) return SEPARATOR
  return SPACE.has(byte) ? BLANK : WORD
})

/**
 * Follows JSON byte by byte, in pieces, without making anything of it: what it will cost is known before it is parsed.
 * Follows bytes that are no JSON as well; the parser finds them.
 */
export class JsonScanner {
  /** Lists and objects that are open. */
  depth = 0
  /** Values up to here, at least; an empty list or object also counts as what it could hold. */
  values = 0
  /** The deepest that it went, and the bytes that it takes as compact JSON at least, since `reset`. */
  deepest = 0
  compactBytes = 0
  /** As it is written, without white space, since `reset`: depends neither on the pieces nor on the indentation. */
  writtenBytes = 0
  /** True if the last `scan` ended with an element, rather than with the piece. */
  isAtEnd = false
  isInString = false
  #isEscaped = false
  #wordLength = 0

  reset(): void {
    this.deepest = this.depth
    this.compactBytes = 0
    this.writtenBytes = 0
  }

  /**
   * Scans on, up to and with the next end of an element of the outermost list: its comma or the list's bracket.
   * @param level the depth inside of that list. @returns the position behind what was scanned
   */
  scan(piece: Uint8Array, from: number, level: number): number {
    let { depth, values, deepest, compactBytes } = this
    let isInString = this.isInString
    let isEscaped = this.#isEscaped
    let wordLength = this.#wordLength
    let at = from
    let blanks = 0
    let isAtEnd = false
    while (at < piece.length && !isAtEnd) {
      const byte = piece[at++] as number
      if (isInString) {
        compactBytes++
        if (isEscaped) {
          isEscaped = false
          // An escape stands for one byte at least.
          compactBytes -= byte === UNICODE_ESCAPE ? 5 : 1
        } else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
        continue
      }
      const kind = KIND[byte]
      if (kind === WORD) {
        // Numbers may be written longer than they are; no sensible one is that long.
        if (wordLength === 0 || wordLength > LONGEST_WORD) compactBytes++
        wordLength++
        continue
      }
      wordLength = 0
      if (kind === BLANK) {
        blanks++
        continue
      }
      compactBytes++
      if (kind === STRING) isInString = true
      else if (kind === OPENING) {
        values++
        if (++depth > deepest) deepest = depth
      } else if (kind === CLOSING) isAtEnd = --depth < level
      else {
        values++
        isAtEnd = depth === level
      }
    }
    this.depth = depth
    this.values = values
    this.deepest = deepest
    this.compactBytes = compactBytes
    this.writtenBytes += at - from - blanks
    this.isInString = isInString
    this.#isEscaped = isEscaped
    this.#wordLength = wordLength
    this.isAtEnd = isAtEnd
    return at
  }
}

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

import { AppError } from '../../formats/errors.ts'
import { MAX_EVENT_BYTES, MAX_EVENT_DEPTH } from '../../formats/event-limits.ts'
import { joined, notJson, parseJson, parsePart, requireJson } from '../../formats/json/json.ts'
import { JsonScanner } from '../../formats/json/scanner.ts'

/** A body up to this is parsed as a whole, a larger one in slices of this, while it arrives. */
const SLICE_BYTES = 64 * 1024

/**
 * Events that are stored at a time: many small events, or fewer large ones. A part ends by its events alone, never by how they
 * arrived: a repetition under an idempotency key has the same parts.
 */
const PART_EVENTS = 1_000
const PART_BYTES = 1024 * 1024

/** JSON values of one body, so that a few bytes for each do not become gigabytes. */
const MAX_VALUES = 4_000_000

/**
 * Up to here an event is parsed, as fields that are ignored do not count towards its size, and one that is too deep is
 * looked through for faults: they are the body's. Lists within lists take the longest.
 */
const PARSED_BYTES = 256 * 1024

/**
 * Makes events of a body that arrives in pieces. A large one is counted before it is parsed, and no slice of it holds up
 * others. Nothing is made of an event that is too large or too deep: one that stands in for it gets its error.
 */
export class EventsParser {
  readonly #maxEvents: number
  readonly #parts: unknown[][] = []
  #part: unknown[] = []
  #partBytes = 0
  /** Bytes that have arrived and are not parsed, from position `#from` of the body to `#end`. */
  #pieces: Buffer[] = []
  #from = 0
  #end = 0
  /** Follows a body that is larger than the first slice. */
  #scanner: JsonScanner | undefined
  /** True if the body is a list. */
  #isList = false
  #isClosed = false
  #elements = 0
  /** The bytes of each element of the slice so far, and where the next one begins. */
  #inSlice: number[] = []
  #element = 0
  #standIn: object | undefined

  /** @param maxEvents EVENTS_CALL_EVENTS */
  constructor(maxEvents: number) {
    this.#maxEvents = maxEvents
  }

  /** @throws AppError PAYLOAD_TOO_LARGE, BAD_USER_INPUT */
  add(arrived: Buffer): void {
    const isBetween = this.#scanner ? !this.#scanner.isInString : this.#end <= 1
    const piece = isBetween && skipBlank(arrived) === arrived.length ? BLANK : arrived
    this.#pieces.push(piece)
    this.#end += piece.length
    if (this.#scanner) this.#scan(this.#scanner, piece)
    else if (this.#end > SLICE_BYTES) this.#begin()
  }

  /** The events in parts, none without events. To be called once everything has arrived. @throws as `add` */
  finish(): unknown[][] {
    if (this.#isList && !this.#isClosed) throw notJson()
    if (this.#standIn) this.#pushStandIn(this.#standIn, this.#end)
    else if (!this.#isList) this.#pushWhole()
    this.#endPart()
    return this.#parts
  }

  #pushWhole(): void {
    const whole = joined(this.#pieces)
    const body = this.#scanner ? parsePart(whole) : parseJson(whole)
    const events: unknown[] = Array.isArray(body) ? body : [body]
    if (events.length > this.#maxEvents) throw this.#tooMany()
    // All of them are at most one slice, so only their number ends a part.
    for (const event of events) this.#push(event, 0)
  }

  #begin(): void {
    const body = joined(this.#pieces)
    const isMarked = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    const start = skipBlank(body, isMarked ? BYTE_ORDER_MARK.length : 0)
    this.#pieces = []
    this.#from = this.#end = 0
    if (start === body.length) return
    this.#isList = body[start] === OPENING_BRACKET
    const rest = body.subarray(this.#isList ? start + 1 : start)
    this.#pieces = [rest]
    this.#end = rest.length
    this.#scanner = new JsonScanner()
    this.#scan(this.#scanner, rest)
  }

  #scan(scanner: JsonScanner, piece: Buffer): void {
    const start = this.#end - piece.length
    let at = 0
    while (at < piece.length && !this.#isClosed) {
      at = scanner.scan(piece, at, this.#isList ? 0 : Number.NEGATIVE_INFINITY)
      if (scanner.values > MAX_VALUES) throw tooManyValues()
      this.#standIn ??= standInFor(scanner)
      if (scanner.isAtEnd) this.#endElement(scanner, start + at)
      if (this.#isClosed && piece[at - 1] !== CLOSING_BRACKET) throw notJson()
    }
    if (this.#isClosed && skipBlank(piece, at) < piece.length) throw notJson()
    if (!this.#standIn) return
    this.#parseSlice()
    if (this.#end - this.#element > PARSED_BYTES) this.#forget(this.#end)
  }

  /** @param position behind its comma, or behind the bracket of the list */
  #endElement(scanner: JsonScanner, position: number): void {
    if (++this.#elements > this.#maxEvents) throw this.#tooMany()
    if (this.#standIn) {
      this.#parseSlice()
      this.#pushStandIn(this.#standIn, position - 1)
      this.#standIn = undefined
      this.#forget(position)
    } else this.#inSlice.push(scanner.writtenBytes)
    this.#element = position
    scanner.reset()
    this.#isClosed = scanner.depth < 0
    if (this.#isClosed || position - this.#from >= SLICE_BYTES) this.#parseSlice()
  }

  #parseSlice(): void {
    if (this.#inSlice.length === 0) return
    const text = joined(this.#pieces).subarray(0, this.#element - this.#from - 1)
    const events = parsePart(joined([OPENING, text, CLOSING])) as unknown[]
    const isEmptyList = this.#isClosed && this.#elements === 1 && events.length === 0
    if (events.length !== this.#inSlice.length && !isEmptyList) throw notJson()
    for (const [index, bytes] of this.#inSlice.entries())
      if (index < events.length) this.#push(events[index], bytes)
    this.#inSlice = []
    this.#forget(this.#element)
  }

  /** @param end of what it stands in for, of which nothing is there any more where it is far too large */
  #pushStandIn(standIn: object, end: number): void {
    if (this.#from === this.#element)
      requireJson(joined(this.#pieces).subarray(0, end - this.#element))
    this.#push(standIn, MAX_EVENT_BYTES)
  }

  #push(event: unknown, bytes: number): void {
    this.#part.push(event)
    this.#partBytes += bytes
    if (this.#part.length === PART_EVENTS || this.#partBytes >= PART_BYTES) this.#endPart()
  }

  #endPart(): void {
    if (this.#part.length > 0) this.#parts.push(this.#part)
    this.#part = []
    this.#partBytes = 0
  }

  #forget(until: number): void {
    if (until <= this.#from) return
    const rest = joined(this.#pieces).subarray(until - this.#from)
    this.#pieces = [rest]
    this.#from = until
  }

  #tooMany() {
    return new AppError(
      'PAYLOAD_TOO_LARGE',
      `A call takes at most ${this.#maxEvents} events (EVENTS_CALL_EVENTS): send fewer events at a time`,
    )
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
/** All that is kept of a piece of white space. */
const BLANK = Buffer.from(' ')
const OPENING = Buffer.from('[')
const CLOSING = Buffer.from(']')
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d

/** Index of the first byte that is no white space; the length where there is none. */
function skipBlank(bytes: Uint8Array, from = 0): number {
  let at = from
  while (at < bytes.length && isBlank(bytes[at])) at++
  return at
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const standInFor = ({ compactBytes, deepest }: JsonScanner): object | undefined => {
  if (deepest > MAX_EVENT_DEPTH) return TOO_DEEP
  // The comma or bracket behind it counts as well.
  return compactBytes > PARSED_BYTES + 1 ? TOO_LARGE : undefined
}

const tooManyValues = () =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `The request body holds more than ${MAX_VALUES} values: send fewer events at a time`,
  )

/** The required fields, so that nothing else is wrong with it. */
const SOUND = { title: 'Not parsed', source: {}, fingerprintFields: ['@title'] }

/** Stands in for an event that is too large to be parsed, and is refused for the same reason. */
export const TOO_LARGE: object = { ...SOUND, message: 'x'.repeat(MAX_EVENT_BYTES) }

/** Stands in for an event that is nested too deep. */
export const TOO_DEEP: object = { ...SOUND, properties: nested(MAX_EVENT_DEPTH) }

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) }
}

import { MAX_EVENT_BYTES, MAX_EVENT_DEPTH } from '../../../formats/event-limits.ts'
import { ExactNumber, MAX_DIGITS } from '../../../formats/json/exact-number.ts'
import { isDeeperThan } from '../../../formats/json/json.ts'
import { isSet, parseTime } from '../../../formats/parse-time.ts'
import { normalizeWord, SEVERITIES, STATUSES } from '../../../platform/event-query/words.ts'
import {
  DEFAULT_FINGERPRINT_FIELDS,
  DEFAULT_SEVERITY,
  DEFAULT_STATUS,
  eventIdOf,
  fingerprintOf,
  resolveFields,
} from './event-state.ts'
import { holdsJsonbNumbers, holdsJsonbTexts } from './jsonb-values.ts'
import type { Occurrence, SourceFields } from './occurrence.ts'

export const MAX_PROPERTIES = 128
export const MAX_TAGS = 100
/** A clock may be this much ahead of ours; beyond, the time of receipt is taken. */
const MAX_AHEAD_MS = 5 * 60_000

export interface ValidationRules {
  /** Also requires `source` and `fingerprintFields`. */
  strict?: boolean
  maxBytes?: number
}

/** Verdict on one item: it will be stored, or a message says why not. */
export type Verdict = { occurrence: Occurrence } | { error: string }

/**
 * Judges one item of an ingestion, of any JSON type (conformance: EV-10 and following, section "RawEvent"). Tolerant in
 * words and unknown fields; one error, the first found.
 */
export function validate(
  given: unknown,
  receivedAt: Date,
  { strict = false, maxBytes = MAX_EVENT_BYTES }: ValidationRules = {},
): Verdict {
  if (!isItem(given)) return { error: 'The event is not a JSON object' }
  const item = misshapenField(given) === undefined ? given : withoutOtherEmpty(given)
  const error = faultOf(item, strict)
  if (error) return { error }
  const json = JSON.stringify(item)
  const whole = Buffer.byteLength(json)
  const bytes = whole > maxBytes ? bytesThatCount(item) : whole
  if (bytes > maxBytes) return { error: `The event is larger than ${maxBytes} bytes` }
  const fault = SUSPECT.test(json) && jsonbFault(item)
  if (fault) return { error: fault }
  return occurrenceOf(item, receivedAt, bytes)
}

function faultOf(item: Item, strict: boolean): string | undefined {
  const missing = missingField(item, strict)
  if (missing) return `The required field was missing: [${missing}]`
  const misshapen = misshapenField(item)
  if (misshapen) return `The field has the wrong type: [${misshapen}]`
  if (Object.keys(item.properties ?? {}).length > MAX_PROPERTIES)
    return `The event has more than ${MAX_PROPERTIES} properties`
  if (Array.isArray(item.tags) && item.tags.length > MAX_TAGS)
    return `The event has more than ${MAX_TAGS} tags`
  if (isDeeperThan(MAX_EVENT_DEPTH, item))
    return `The event is nested deeper than ${MAX_EVENT_DEPTH} levels`
  return undefined
}

function jsonbFault(item: Item): string | undefined {
  const unreadable = firstFieldThat((value) => !holdsJsonbTexts(value), item)
  if (unreadable) return `The field holds a character that cannot be stored: [${unreadable}]`
  const beyond = firstFieldThat((value) => !holdsJsonbNumbers(value), item)
  return beyond && `The field holds a number that cannot be stored: [${beyond}]. ${NUMBERS}`
}

const NUMBERS = `Numbers have at most ${MAX_DIGITS} digits and lie within ±1.8e308, 0 or beyond ±4.9e-324; send others as text`

function missingField(item: Item, strict: boolean): string | undefined {
  if (typeof item.title !== 'string' || item.title.trim() === '') return 'title'
  if (!strict) return undefined
  if (item.source === undefined || item.source === null) return 'source'
  const names = item.fingerprintFields
  const isAbsent = names === undefined || names === null
  return isAbsent || (Array.isArray(names) && names.length === 0) ? 'fingerprintFields' : undefined
}

/** A JSON object as it arrived. */
export type Item = Record<string, unknown>

/** Shapes of fields that are present; judged in this order, the first fault is reported. */
const SHAPES: readonly Shape[] = [
  { name: 'fingerprintFields', isRight: isTexts },
  { name: 'source', isRight: isItem },
  { of: 'source', name: 'ref', isRight: isText },
  { of: 'source', name: 'type', isRight: isText },
  { of: 'source', name: 'name', isRight: isText },
  { of: 'source', name: 'properties', isRight: isItem },
  { name: 'message', isRight: isText },
  { name: 'properties', isRight: isItem },
  { name: 'severity', isRight: isText },
  { name: 'status', isRight: isText },
  { name: 'tags', isRight: isTexts },
  { name: 'eventClass', isRight: isText },
  { name: 'sender', isRight: isItem },
  { of: 'sender', name: 'ref', isRight: isText },
  { of: 'sender', name: 'type', isRight: isText },
  { of: 'sender', name: 'name', isRight: isText },
  { of: 'sender', name: 'properties', isRight: isItem },
]

interface Shape {
  /** The field that it is a part of. */
  of?: string
  name: string
  isRight(value: unknown): boolean
}

/** The fields of an event that are read. Others are ignored, such as those that the system assigns. */
const FIELDS: ReadonlySet<string> = new Set([
  'title',
  'createdAt',
  ...SHAPES.flatMap(({ of, name }) => (of === undefined ? [name] : [])),
])

/** Bytes of an item without the fields that are ignored. */
function bytesThatCount(item: Item): number {
  const fields = Object.entries(item).filter(([name]) => FIELDS.has(name))
  return Buffer.byteLength(JSON.stringify(Object.fromEntries(fields)))
}

/** The first field of the wrong type. An explicit null counts as absent. */
function misshapenField(item: Item): string | undefined {
  for (const shape of SHAPES) {
    const value = partOf(item, shape)
    if (value !== undefined && value !== null && !shape.isRight(value)) return pathOf(shape)
  }
  return undefined
}

/** Without empty containers of the other kind: PHP writes an object without members as a list, Lua a list as an object. */
const withoutOtherEmpty = (item: Item, part?: string): Item =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name, value]) => !isOtherEmpty(value, shapeOf(name, part)))
      .map(([name, value]) => {
        const isWhole = part === undefined && isItem(value) && SHAPES.some(({ of }) => of === name)
        return [name, isWhole ? withoutOtherEmpty(value, name) : value]
      }),
  )

const shapeOf = (name: string, part: string | undefined): Shape | undefined =>
  SHAPES.find((shape) => shape.of === part && shape.name === name)

function isOtherEmpty(value: unknown, shape: Shape | undefined): boolean {
  if (shape?.isRight === isItem) return Array.isArray(value) && value.length === 0
  return shape?.isRight === isTexts && isItem(value) && Object.keys(value).length === 0
}

/** The first stored field for which `isRight` fails. */
function firstFieldThat(fails: (value: unknown) => boolean, item: Item): string | undefined {
  if (fails(item.title)) return 'title'
  const shape = SHAPES.find((one) => fails(partOf(item, one)))
  return shape && pathOf(shape)
}

export function isItem(value: unknown): value is Item {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber)
  )
}

function partOf(item: Item, { of, name }: Shape): unknown {
  if (of === undefined) return item[name]
  const whole = item[of]
  return isItem(whole) ? whole[name] : undefined
}

const pathOf = ({ of, name }: Shape): string => (of === undefined ? name : `${of}.${name}`)

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

/**
 * In the text that JSON.stringify makes: NUL or half of a surrogate pair, which jsonb refuses, or a number that is not
 * kept. Also matches some texts, such as `\\u0000` and `1E+9`.
 */
const SUSPECT = /\\u(?:0000|d[89a-f])|\dE[+-]/

/** @returns undefined where it cannot be read; the receipt in place of a time that was not set, or lies ahead */
function occurredAtOf(createdAt: unknown, receivedAt: Date): Date | undefined {
  const sentAt = parseTime(createdAt)
  const isAhead = sentAt && sentAt.getTime() > receivedAt.getTime() + MAX_AHEAD_MS
  return sentAt && (isAhead || !isSet(sentAt)) ? receivedAt : sentAt
}

function occurrenceOf(item: Item, receivedAt: Date, bytes: number): Verdict {
  const createdAt = item.createdAt ?? undefined
  const occurredAt = createdAt === undefined ? receivedAt : occurredAtOf(createdAt, receivedAt)
  if (!occurredAt) return { error: 'The field cannot be read as a time: [createdAt]' }

  // The shapes were checked above: `misshapenField` and `missingField`.
  const sent = item as unknown as SentEvent
  const fields = {
    title: sent.title,
    message: sent.message ?? null,
    severity: normalizeWord(SEVERITIES, sent.severity ?? DEFAULT_SEVERITY),
    status: normalizeWord(STATUSES, sent.status ?? DEFAULT_STATUS),
    source: sourceOf(sent.source ?? {}),
    properties: sent.properties ?? {},
    eventClass: sent.eventClass ?? null,
  }
  const fingerprintFields = sent.fingerprintFields?.length
    ? sent.fingerprintFields
    : [...DEFAULT_FINGERPRINT_FIELDS]
  const resolved = resolveFields(fields, fingerprintFields)
  const fingerprint = fingerprintOf(fields, resolved)
  return {
    occurrence: {
      ...fields,
      eventId: eventIdOf(fingerprint),
      fingerprint,
      fingerprintFields,
      fingerprintValues: resolved.used,
      sender: sent.sender ? senderOf(sent.sender) : null,
      tags: sent.tags ?? [],
      occurredAt,
      receivedAt,
      bytes,
      cause: null,
    },
  }
}

interface SentEvent {
  title: string
  message?: string | null
  severity?: string | null
  status?: string | null
  source?: Partial<SourceFields> | null
  sender?: Partial<SourceFields> | null
  properties?: Record<string, unknown> | null
  tags?: string[] | null
  eventClass?: string | null
  fingerprintFields?: string[] | null
}

const sourceOf = ({ ref, type, name, properties }: Partial<SourceFields>): SourceFields => ({
  ref: ref ?? null,
  type: type ?? null,
  name: name ?? null,
  properties: properties ?? null,
})

/** Null for one that names nothing, as a source is read back. */
function senderOf(sent: Partial<SourceFields>): SourceFields | null {
  const sender = sourceOf(sent)
  return Object.values(sender).every((value) => value === null) ? null : sender
}

import { hash } from 'node:crypto'
import { ExactNumber } from '../../../formats/json/exact-number.ts'
import { SEVERITIES } from '../../../platform/event-query/words.ts'
import type { Occurrence, Scalar } from './occurrence.ts'

export const DEFAULT_FINGERPRINT_FIELDS: readonly string[] = ['@title']

/** Fields of which a fingerprint can be formed. Severity and status are the normalized words. */
export type FingerprintInput = Pick<
  Occurrence,
  'title' | 'message' | 'severity' | 'status' | 'source' | 'properties' | 'eventClass'
>

/** Result of resolving the listed names: each distinct name once, in order of name. */
export interface ResolvedFields {
  /** Names that resolved to a scalar: they are part of the fingerprint. */
  used: [name: string, value: Scalar][]
  /** Names that resolved to nothing, or to no scalar: they have no effect. */
  ignored: string[]
}

/**
 * The identity of an event: SHA-256, in hexadecimal, of the source's reference and type, the event class, and the
 * listed fields with their names. Neither order nor repeats of names matter; 42 and "42" differ.
 */
export function fingerprintOf(
  { source, eventClass }: Pick<FingerprintInput, 'source' | 'eventClass'>,
  { used }: ResolvedFields,
): string {
  const parts = [source.ref, source.type, eventClass, used]
  return hash('sha256', JSON.stringify(parts), 'hex')
}

/** Resolves names to values. The title identifies an event that nothing else does: all such events would be one. */
export function resolveFields(input: FingerprintInput, names: readonly string[]): ResolvedFields {
  const resolved: ResolvedFields = { used: [], ignored: [] }
  for (const name of names.length > 1 ? [...new Set(names)].sort() : names) {
    const value = resolve(input, name)
    if (isScalar(value)) resolved.used.push([name, value])
    else resolved.ignored.push(name)
  }
  const { source, eventClass } = input
  if (resolved.used.length === 0 && [source.ref, source.type, eventClass].every((part) => !part))
    resolved.used.push(['@title', input.title])
  return resolved
}

/** The event's id: a UUID (version 8, RFC 9562) of the fingerprint's first 122 bits that fit. */
export function eventIdOf(fingerprint: string): string {
  const variant = '89ab'[Number.parseInt(fingerprint.charAt(16), 16) & 3]
  return `${fingerprint.slice(0, 8)}-${fingerprint.slice(8, 12)}-8${fingerprint.slice(13, 16)}-${variant}${fingerprint.slice(17, 20)}-${fingerprint.slice(20, 32)}`
}

function resolve(input: FingerprintInput, name: string): unknown {
  switch (name) {
    case '@title':
      return input.title
    case '@message':
      return input.message
    case '@status':
      return input.status
    case '@severity':
      return input.severity
    case '@source.name':
      return input.source.name
    default:
      return Object.hasOwn(input.properties, name) ? input.properties[name] : undefined
  }
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof ExactNumber

export const DEFAULT_SEVERITY = 'INFO'
export const DEFAULT_STATUS = 'OK'
/** Closes events in place of a person. */
export const RESOLVE_AFTER_USER = 'EVENTS_RESOLVE_AFTER'

/** True if `to` is a graver severity than `from`; words without a rank are never graver. */
export const severityRises = (from: string, to: string): boolean =>
  SEVERITIES.includes(from) && SEVERITIES.indexOf(to) > SEVERITIES.indexOf(from)

/** State of an event for de-duplication, and its decision. */
export interface EventState {
  id: string
  severity: string
  status: string
  firstSeenAt: Date
  lastSeenAt: Date
  lastUpdatedAt: Date
  timesSeen: number
  /** The occurrence whose title, message and so on the event takes over; null leaves them as they are. */
  latest: Occurrence | null
  /** The execution that caused it last; null leaves it as it is. */
  executionId: string | null
}

export interface StatusChange {
  eventId: string
  at: Date
  fromStatus: string
  toStatus: string
  fromSeverity: string
  toSeverity: string
}

/** The event that a first occurrence creates. */
export const firstState = (occurrence: Occurrence): EventState => ({
  id: occurrence.eventId,
  severity: occurrence.severity,
  status: occurrence.status,
  firstSeenAt: occurrence.occurredAt,
  lastSeenAt: occurrence.occurredAt,
  lastUpdatedAt: occurrence.receivedAt,
  timesSeen: 1,
  latest: occurrence,
  executionId: occurrence.cause?.executionId ?? null,
})

/**
 * Counts a further occurrence into the event, in place. One that happened before `lastSeenAt` overwrites nothing; of two
 * at the same time the one received later wins.
 * @returns the change of status, if there is one
 */
export function countOccurrence(
  state: EventState,
  occurrence: Occurrence,
): StatusChange | undefined {
  state.timesSeen += 1
  if (occurrence.receivedAt > state.lastUpdatedAt) state.lastUpdatedAt = occurrence.receivedAt
  if (occurrence.occurredAt < state.firstSeenAt) state.firstSeenAt = occurrence.occurredAt
  if (occurrence.occurredAt < state.lastSeenAt) return undefined

  state.lastSeenAt = occurrence.occurredAt
  state.latest = occurrence
  state.executionId = occurrence.cause?.executionId ?? state.executionId
  return takeStatus(state, occurrence, occurrence.receivedAt)
}

/** Takes over severity and status, in place. @returns the change of status, if there is one */
export function takeStatus(
  state: EventState,
  given: Pick<Occurrence, 'severity' | 'status'>,
  at: Date,
): StatusChange | undefined {
  const { status: fromStatus, severity: fromSeverity } = state
  state.status = nextStatus(state, given)
  state.severity = given.severity
  if (state.status === fromStatus) return undefined
  return {
    ...{ eventId: state.id, at, fromStatus, fromSeverity },
    ...{ toStatus: state.status, toSeverity: state.severity },
  }
}

/** Whoever acknowledged an event is not called again for more of the same, only when it gets worse. */
function nextStatus(
  state: EventState,
  { status, severity }: Pick<Occurrence, 'severity' | 'status'>,
): string {
  const isMoreOfTheSame =
    state.status === 'ACKNOWLEDGED' && status === 'OPEN' && !severityRises(state.severity, severity)
  return isMoreOfTheSame ? state.status : status
}

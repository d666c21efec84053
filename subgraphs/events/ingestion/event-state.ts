import { SEVERITIES } from '../../../platform/event-query/words.ts'
import type { Occurrence } from './occurrence.ts'

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

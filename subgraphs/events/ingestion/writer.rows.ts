import type { EventState } from './fold.ts'
import type { Occurrence } from './occurrence.ts'

/** A new event's row: identity from its first occurrence, content from the latest. */
export function newEventRow(state: EventState, first: Occurrence) {
  const latest = state.latest ?? first
  return {
    ...contentOf(latest),
    ...countsOf(state),
    fingerprint: first.fingerprint,
    fingerprintFields: first.fingerprintFields,
    fingerprintValues: first.fingerprintValues,
    sourceRef: first.source.ref,
    sourceType: first.source.type,
    sourceProperties: first.source.properties,
    eventClass: first.eventClass,
  }
}

/** What a known event becomes; without a latest occurrence only its counts change. */
export const changedEventRow = (state: EventState) => ({
  overwrites: state.latest !== null,
  ...(state.latest && contentOf(state.latest)),
  ...countsOf(state),
})

export const rawEventRow = (occurrence: Occurrence, isNew: boolean) => ({
  ...contentOf(occurrence),
  eventId: occurrence.eventId,
  isNew,
  severity: occurrence.severity,
  status: occurrence.status,
  sourceRef: occurrence.source.ref,
  sourceType: occurrence.source.type,
  sourceProperties: occurrence.source.properties,
  eventClass: occurrence.eventClass,
  occurredAt: occurrence.occurredAt,
  receivedAt: occurrence.receivedAt,
  executionId: occurrence.cause?.executionId ?? null,
})

/** Occurrences of each event and minute of receipt, in order of both. */
export function minuteRows(occurrences: readonly Occurrence[]) {
  const counts = new Map<string, number>()
  for (const { eventId, receivedAt } of occurrences) {
    const key = `${eventId} ${receivedAt.toISOString().slice(0, 16)}Z`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].sort(byFirst).map(([key, occurrences]) => {
    const [eventId, minute] = key.split(' ')
    return { eventId, minute, occurrences }
  })
}

export const causeRows = (occurrences: readonly Occurrence[]) =>
  occurrences.flatMap(({ cause, eventId }) => (cause ? [{ ...cause, eventId }] : []))

const contentOf = ({ title, message, source, sender, properties, tags }: Occurrence) => ({
  title,
  message,
  sourceName: source.name,
  sender,
  properties,
  tags,
})

const countsOf = ({ latest: _, ...counts }: EventState) => counts

const byFirst = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

import { type EventState, firstState } from '../event-state.ts'
import type { ImportedEvent } from './imported-event.ts'

/** The event that an imported one becomes. */
export const stateOfImported = ({
  occurrence,
  firstSeenAt,
  lastUpdatedAt,
  timesSeen,
}: ImportedEvent): EventState => ({
  ...firstState(occurrence),
  ...{ firstSeenAt, lastUpdatedAt, timesSeen },
})

/**
 * Counts an imported event into the one with its fingerprint, in place. The later content wins.
 * @param counted how many of its occurrences an earlier import brought
 * @returns whether that changed anything
 */
export function mergeImported(state: EventState, event: ImportedEvent, counted: number): boolean {
  const { occurrence, firstSeenAt, lastUpdatedAt } = event
  const added = Math.max(0, event.timesSeen - counted)
  const isEarlier = firstSeenAt < state.firstSeenAt
  const isLater = occurrence.occurredAt > state.lastSeenAt
  if (added === 0 && !isEarlier && !isLater) return false
  state.timesSeen += added
  if (isEarlier) state.firstSeenAt = firstSeenAt
  if (lastUpdatedAt > state.lastUpdatedAt) state.lastUpdatedAt = lastUpdatedAt
  if (isLater) {
    state.lastSeenAt = occurrence.occurredAt
    state.latest = occurrence
    state.severity = occurrence.severity
    state.status = occurrence.status
  }
  return true
}

import { type EventState, firstState, type StatusChange, takeStatus } from '../event-state.ts'
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

/** Effect of an imported event on the one with its fingerprint. */
export interface Merge {
  isChange: boolean
  statusChange?: StatusChange | undefined
}

/**
 * Counts an imported event into the one with its fingerprint, in place. The later occurrence wins, as in ingestion; of
 * statuses, also the one that was set last.
 * @param counted how many of its occurrences an earlier import brought
 */
export function mergeImported(state: EventState, event: ImportedEvent, counted: number): Merge {
  const { occurrence, firstSeenAt, lastUpdatedAt } = event
  // A time of this call was made up, as none was given or it lay ahead: it would be later at each repetition.
  const isGiven = (time: Date) => time < occurrence.receivedAt
  const added = Math.max(0, event.timesSeen - counted)
  const isEarlier = firstSeenAt < state.firstSeenAt
  const isLater = occurrence.occurredAt > state.lastSeenAt && isGiven(occurrence.occurredAt)
  const isNewer = lastUpdatedAt > state.lastUpdatedAt && isGiven(lastUpdatedAt)
  if (added === 0 && !isEarlier && !isLater && !isNewer) return { isChange: false }
  state.timesSeen += added
  if (isEarlier) state.firstSeenAt = firstSeenAt
  if (isNewer) state.lastUpdatedAt = lastUpdatedAt
  if (isLater) {
    state.lastSeenAt = occurrence.occurredAt
    state.latest = occurrence
  }
  if (!isLater && !isNewer) return { isChange: true }
  const severity = isLater ? occurrence.severity : state.severity
  const given = { status: occurrence.status, severity }
  const at = isNewer ? lastUpdatedAt : occurrence.receivedAt
  return { isChange: true, statusChange: takeStatus(state, given, at) }
}

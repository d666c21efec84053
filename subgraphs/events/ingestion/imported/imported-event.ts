import { MAX_EVENT_BYTES, MAX_TIMES_SEEN } from '../../../../formats/event-limits.ts'
import { isSet, parseTime } from '../../../../formats/parse-time.ts'
import type { Occurrence } from '../occurrence.ts'
import { isItem, validate } from '../validate.ts'

/** A stored event of another product: its last occurrence, and what was counted into it there. */
export interface ImportedEvent {
  /** As the other product knows it. */
  id: string
  occurrence: Occurrence
  firstSeenAt: Date
  lastUpdatedAt: Date
  timesSeen: number
}

/** Characters of an id of another product. */
export const MAX_IMPORTED_ID_LENGTH = 255

/** A client sent MAX_EVENT_BYTES at most; ids, times, defaults and longer forms of numbers were added when it was stored. */
const MAX_IMPORTED_BYTES = 2 * MAX_EVENT_BYTES

/** @param absent what a time that is absent, or not set, is taken for */
function timeOr(absent: Date, value: unknown): Date | undefined {
  const time = value == null ? absent : parseTime(value)
  return time && !isSet(time) ? absent : time
}

/** Judges a stored event as `GET /v1/events` shows it. One error, the first found. */
export function judgeImported(item: unknown, now: Date): ImportedEvent | { error: string } {
  if (!isItem(item)) return { error: 'The event is not a JSON object' }
  const { relatedSources: _, ...event } = item
  const { id, firstSeenAt, lastSeenAt, lastUpdatedAt } = event
  const timesSeen = event.timesSeen ?? 1
  if (typeof id !== 'string' || id === '') return { error: 'The required field was missing: [id]' }
  if (id.length > MAX_IMPORTED_ID_LENGTH || id.includes('\0') || !id.isWellFormed())
    return {
      error: `The field holds no id: [id]. Expected at most ${MAX_IMPORTED_ID_LENGTH} characters of Unicode text without NUL`,
    }
  if (!Number.isInteger(timesSeen) || Number(timesSeen) < 1 || Number(timesSeen) > MAX_TIMES_SEEN)
    return { error: `The field is no whole number from 1 to ${MAX_TIMES_SEEN}: [timesSeen]` }
  const sent = { ...event, createdAt: lastSeenAt ?? event.createdAt }
  const verdict = validate(sent, now, { maxBytes: MAX_IMPORTED_BYTES })
  if ('error' in verdict) return { error: verdict.error.replace('[createdAt]', '[lastSeenAt]') }
  const { occurrence } = verdict
  const times = {
    firstSeenAt: timeOr(occurrence.occurredAt, firstSeenAt),
    lastUpdatedAt: timeOr(occurrence.occurredAt, lastUpdatedAt),
  }
  if (!times.firstSeenAt || times.firstSeenAt > occurrence.occurredAt)
    return { error: 'The field is no time up to lastSeenAt: [firstSeenAt]' }
  if (!times.lastUpdatedAt) return { error: 'The field cannot be read as a time: [lastUpdatedAt]' }
  return {
    ...{ id, occurrence, timesSeen: Number(timesSeen) },
    firstSeenAt: times.firstSeenAt,
    lastUpdatedAt: times.lastUpdatedAt > now ? now : times.lastUpdatedAt,
  }
}

import { arraysOf, copyOf } from '../../platform/database/copy/columns.ts'
import type { Copy } from '../../platform/database/copy/copy-rows.ts'
import { runCopies, runSql, type Sql } from '../../platform/database/sql.ts'
import {
  countOccurrence,
  type EventState,
  firstState,
  type StatusChange,
} from './count-occurrence.ts'
import type { Occurrence } from './occurrence.ts'
import {
  CAUSE,
  KNOWN_EVENT,
  MINUTE,
  type MinuteCount,
  NEW_EVENT,
  type NewEvent,
  RAW_EVENT,
  STATUS_CHANGE,
} from './writer.columns.ts'
import { LAST_ID, LINK_EXECUTIONS, LOCK_EVENTS, UPDATE_EVENTS } from './writer.statements.ts'

/**
 * Counts occurrences into their events and stores them, in the transaction of `sql`.
 * @param occurrences in order of receipt
 * @returns the id of the last one's raw event
 * @throws Raced when another process created one of the events meanwhile
 */
export async function deduplicate(sql: Sql, occurrences: readonly Occurrence[]): Promise<string> {
  const byEvent = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const ids = [...byEvent.keys()].sort()
  const known = await lockEvents(sql, ids)
  const created: NewEvent[] = []
  const changes: StatusChange[] = []
  const newMinutes: MinuteCount[] = []
  const knownMinutes: MinuteCount[] = []
  for (const id of ids) {
    const all = byEvent.get(id) ?? []
    const [first] = all
    if (!first) continue
    const before = known.get(id)
    const state = before ?? firstState(first)
    for (const occurrence of all) {
      const isIn = !before && occurrence === first
      const change = isIn ? null : countOccurrence(state, occurrence)
      if (change) changes.push(change)
    }
    if (!before) created.push({ first, state })
    countMinutes(before ? knownMinutes : newMinutes, all)
  }

  if (known.size > 0)
    await runSql(sql, UPDATE_EVENTS, [
      ...arraysOf(KNOWN_EVENT, [...known.values()]),
      ...arraysOf(MINUTE, knownMinutes),
    ])
  const first = new Set(created.map((event) => event.first))
  const raw = occurrences.map((occurrence) => ({ occurrence, isNew: first.has(occurrence) }))
  const lastId = await append(sql, [
    ...copyOf('events.event', NEW_EVENT, created),
    ...copyOf('events.event_minute', MINUTE, newMinutes),
    ...copyOf('events.raw_event', RAW_EVENT, raw),
    ...copyOf('events.status_change', STATUS_CHANGE, changes),
  ])
  const causes = occurrences.flatMap(({ cause, eventId }) => (cause ? [{ ...cause, eventId }] : []))
  if (causes.length > 0) await runSql(sql, LINK_EXECUTIONS, arraysOf(CAUSE, causes))
  return lastId
}

/** Another transaction created an event that this one would have created: done again, it will know the event. */
export class Raced extends Error {
  /** The code of a late transaction in PostgreSQL (serialization_failure). */
  readonly code = '40001'
}

/** @param query behind the copies @returns the first value of the query @throws Raced */
export async function append(sql: Sql, copies: readonly Copy[], query = LAST_ID): Promise<string> {
  try {
    return await runCopies(sql, copies, query)
  } catch (cause) {
    const { code, constraint } = cause as { code?: unknown; constraint?: unknown }
    if (code !== UNIQUE_VIOLATION || constraint !== 'event_pkey') throw cause
    throw new Raced('An event was created meanwhile', { cause })
  }
}

const UNIQUE_VIOLATION = '23505'

/** Locks events in the order of their ids. @returns those that are there */
export async function lockEvents(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, EventState>> {
  const rows = await runSql<LockedRow>(sql, LOCK_EVENTS, [`{${ids.join()}}`])
  return new Map(rows.map((row) => [row.id, stateOf(row)]))
}

interface LockedRow {
  id: string
  severity: string
  status: string
  timesSeen: number
  firstSeenMs: number
  lastSeenMs: number
  lastUpdatedMs: number
}

const stateOf = ({ firstSeenMs, lastSeenMs, lastUpdatedMs, ...row }: LockedRow): EventState => ({
  ...row,
  firstSeenAt: new Date(firstSeenMs),
  lastSeenAt: new Date(lastSeenMs),
  lastUpdatedAt: new Date(lastUpdatedMs),
  latest: null,
  executionId: null,
})

const MINUTE_MS = 60_000

/** Appends the counts of one event, in order of minute. */
function countMinutes(counts: MinuteCount[], occurrences: readonly Occurrence[]): void {
  const minutes: MinuteCount[] = []
  for (const { eventId, receivedAt } of occurrences) {
    const start = Math.floor(receivedAt.getTime() / MINUTE_MS) * MINUTE_MS
    const count = minutes.find(({ minute }) => minute.getTime() === start)
    if (count) count.occurrences++
    else minutes.push({ eventId, minute: new Date(start), occurrences: 1 })
  }
  if (minutes.length > 1) minutes.sort((a, b) => Number(a.minute) - Number(b.minute))
  counts.push(...minutes)
}

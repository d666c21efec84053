import { runSql, type Sql } from '../tables/sql.repository.ts'
import { type EventState, firstState, fold, type StatusChange } from './fold.ts'
import type { Occurrence } from './occurrence.ts'
import { causeRows, changedEventRow, minuteRows, newEventRow, rawEventRow } from './writer.rows.ts'
import { INSERT_EVENTS, LOCK_EVENTS, WRITE } from './writer.statements.ts'

/**
 * Counts occurrences into their events and stores them, in the transaction of `sql`.
 * @param occurrences in order of receipt
 * @returns the id of the transaction
 */
export async function deduplicate(sql: Sql, occurrences: readonly Occurrence[]): Promise<string> {
  const byEvent = new Map<string, Occurrence[]>()
  for (const occurrence of occurrences) {
    const same = byEvent.get(occurrence.eventId)
    if (same) same.push(occurrence)
    else byEvent.set(occurrence.eventId, [occurrence])
  }
  const ids = [...byEvent.keys()].sort()
  const states = await lock(sql, ids)
  const created = await create(
    sql,
    byEvent,
    ids.filter((id) => !states.has(id)),
  )
  const raced = ids.filter((id) => !states.has(id) && !created.first.has(id))
  for (const [id, state] of raced.length > 0 ? await lock(sql, raced) : []) states.set(id, state)

  const changes = [...created.changes]
  for (const [id, state] of states)
    for (const occurrence of byEvent.get(id) ?? []) pushIf(changes, fold(state, occurrence))
  const first = new Set(created.first.values())
  const [row] = await runSql<{ xact: string }>(sql, WRITE, [
    JSON.stringify([...states.values()].map(changedEventRow)),
    JSON.stringify(occurrences.map((occurrence) => rawEventRow(occurrence, first.has(occurrence)))),
    JSON.stringify(minuteRows(occurrences)),
    JSON.stringify(changes),
    JSON.stringify(causeRows(occurrences)),
  ])
  return row?.xact ?? ''
}

async function lock(sql: Sql, ids: readonly string[]): Promise<Map<string, EventState>> {
  const rows = await runSql<LockedRow>(sql, LOCK_EVENTS, [ids])
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

interface Created {
  /** Event → the occurrence that created it; events that another transaction created meanwhile are absent. */
  first: Map<string, Occurrence>
  changes: StatusChange[]
}

async function create(
  sql: Sql,
  byEvent: ReadonlyMap<string, Occurrence[]>,
  ids: readonly string[],
): Promise<Created> {
  const created: Created = { first: new Map(), changes: [] }
  if (ids.length === 0) return created
  const changes: StatusChange[] = []
  const rows = ids.map((id) => {
    const [first, ...others] = byEvent.get(id) ?? []
    if (!first) throw new Error('An event without occurrences')
    const state = firstState(first)
    for (const occurrence of others) pushIf(changes, fold(state, occurrence))
    return { first, row: newEventRow(state, first) }
  })
  const inserted = await runSql<{ id: string }>(sql, INSERT_EVENTS, [
    JSON.stringify(rows.map(({ row }) => row)),
  ])
  const insertedIds = new Set(inserted.map(({ id }) => id))
  for (const { first } of rows)
    if (insertedIds.has(first.eventId)) created.first.set(first.eventId, first)
  created.changes = changes.filter(({ eventId }) => insertedIds.has(eventId))
  return created
}

function pushIf<T>(list: T[], value: T | undefined): void {
  if (value !== undefined) list.push(value)
}

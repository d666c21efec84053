import { arraysOf, copyOf } from '../../../../platform/database/copy.ts'
import type { Orm } from '../../../../platform/database/orm.ts'
import { inTransaction, runSql } from '../../../../platform/database/sql.ts'
import { indexEvents, lockSearch } from '../../read/index/search.repository.ts'
import { isUuid } from '../../read/uuid.ts'
import type { EventState, StatusChange } from '../event-state.ts'
import { KNOWN_EVENT, MINUTE, NEW_EVENT, type NewEvent, STATUS_CHANGE } from '../writer.columns.ts'
import { append, lockEvents } from '../writer.repository.ts'
import { UPDATE_EVENTS } from '../writer.statements.ts'
import type { ImportedEvent } from './imported-event.ts'
import { mergeImported, stateOfImported } from './merge-imported.ts'

export type ImportOutcome = 'CREATED' | 'MERGED' | 'UNCHANGED'

/** Stores events of another product, and finds them by the ids that they had there. */
export class ImportRepository {
  constructor(private readonly orm: Orm) {}

  /**
   * Stores them in one transaction.
   * @returns what became of each, in their order @throws Raced when an occurrence created one of them meanwhile
   */
  import(events: readonly ImportedEvent[]): Promise<ImportOutcome[]> {
    return inTransaction(this.orm.em, async (sql) => {
      await lockSearch(sql)
      const ids = [...new Set(events.map(({ occurrence }) => occurrence.eventId))].sort()
      const states = await lockEvents(sql, ids)
      const known = new Set(states.keys())
      const counted = new Map(
        (
          await runSql<{ id: string; timesSeen: number }>(sql, FIND_COUNTED, [
            events.map(({ id }) => id),
          ])
        ).map(({ id, timesSeen }) => [id, timesSeen]),
      )
      const created: NewEvent[] = []
      const changed = new Map<string, EventState>()
      const statusChanges: StatusChange[] = []
      const outcomes = events.map((event): ImportOutcome => {
        const { eventId } = event.occurrence
        const before = states.get(eventId)
        const state = before ?? stateOfImported(event)
        const merge = before && mergeImported(before, event, counted.get(event.id) ?? 0)
        counted.set(event.id, Math.max(event.timesSeen, counted.get(event.id) ?? 0))
        if (!merge) {
          states.set(eventId, state)
          created.push({ first: event.occurrence, state })
          return 'CREATED'
        }
        if (merge.statusChange) statusChanges.push(merge.statusChange)
        if (merge.isChange && known.has(eventId)) changed.set(eventId, state)
        return merge.isChange ? 'MERGED' : 'UNCHANGED'
      })
      if (changed.size > 0)
        await runSql(sql, UPDATE_EVENTS, [
          ...arraysOf(KNOWN_EVENT, [...changed.values()]),
          ...arraysOf(MINUTE, []),
        ])
      await append(
        sql,
        [
          ...copyOf('events.event', NEW_EVENT, created),
          ...copyOf('events.status_change', STATUS_CHANGE, statusChanges),
        ],
        NOTHING,
      )
      const entries = events.map(({ id, occurrence: { eventId } }) => [id, eventId] as const)
      await runSql(sql, REMEMBER, [
        entries.map(([id]) => id),
        entries.map(([, eventId]) => eventId),
        entries.map(([id]) => counted.get(id) ?? 0),
      ])
      await indexEvents(sql, [...changed.keys(), ...created.map(({ state }) => state.id)])
      return outcomes
    })
  }

  /** The events that ids of another product stand for. An id of an event of ours stands for itself. */
  async eventIdsOf(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await runSql<{ id: string; eventId: string }>(this.orm.em, FIND_EVENT_IDS, [
      ids,
      ids.filter(isUuid),
    ])
    return new Map(rows.map(({ id, eventId }) => [id, eventId]))
  }
}

const NOTHING = `select ''::text`

const FIND_COUNTED = `
  select id, times_seen::float8 as "timesSeen" from events.imported_event where id = any ($1)`

/** $2: those of $1 that may be ids of ours. */
const FIND_EVENT_IDS = `
  select id, event_id::text as "eventId" from events.imported_event as imported
  where id = any ($1) and not exists (
    select from events.event where event.id = any ($2::uuid[]) and event.id::text = imported.id)`

/** An id may come several times in a call; all of them have the same count. */
const REMEMBER = `
  insert into events.imported_event as imported (id, event_id, times_seen)
  select distinct on (id) id, event_id, times_seen
  from unnest($1::text[], $2::uuid[], $3::bigint[]) as row (id, event_id, times_seen)
  on conflict (id) do update set event_id = excluded.event_id, times_seen = excluded.times_seen`

import type { MikroORM } from '@mikro-orm/postgresql'
import { arraysOf, unnest } from '../../../platform/database/copy.ts'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import { changeKindOf, type State } from '../notifications/change.ts'
import { indexEvents, lockSearch } from '../read/index/search.repository.ts'
import { STATE_CHANGE, type StateChange } from './writer.columns.ts'

export interface NewStatus {
  eventIds: readonly string[]
  status: string
  comment: string | null
  /** User who sets it. */
  user: string
}

/** Sets the status of events and remembers who did, and why. */
export class StatusRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly rules: { isOn: boolean },
  ) {}

  /**
   * Sets them in one transaction. Setting the present status again without a comment changes nothing.
   * @returns whether an event changed, by its id; unknown ids are left out
   */
  set({ eventIds, status, comment, user }: NewStatus): Promise<Map<string, boolean>> {
    return inTransaction(this.orm.em, async (sql) => {
      await lockSearch(sql)
      const events = await runSql<LockedEvent & { isOther: boolean }>(sql, LOCK, [eventIds, status])
      const isChanged = ({ isOther }: { isOther: boolean }) => isOther || comment !== null
      const changed = events.filter(isChanged).map(({ id }) => id)
      if (changed.length > 0) {
        if (this.rules.isOn) await noteChanges(sql, events, status)
        await writeStatus(sql, changed, { status, comment, user })
      }
      return new Map(events.map((event) => [event.id, isChanged(event)]))
    })
  }
}

/** Sets a status of events, under the lock of the search tables. */
export async function writeStatus(
  sql: Sql,
  ids: readonly string[],
  { status, comment, user }: Omit<NewStatus, 'eventIds'>,
): Promise<void> {
  await runSql(sql, INSERT_CHANGES, [ids, currentTime(), user, status, comment])
  await runSql(sql, UPDATE, [ids, status, currentTime()])
  await indexEvents(sql, ids)
}

export interface LockedEvent extends State {
  id: string
}

/** Notes for rules what changes. */
export async function noteChanges(sql: Sql, events: readonly LockedEvent[], status: string) {
  const at = currentTime()
  const changes = events.flatMap((event): StateChange[] => {
    const { id: eventId, severity } = event
    const kind = changeKindOf(event, { status, severity })
    return kind ? [{ eventId, at, kind, status, severity }] : []
  })
  const names = STATE_CHANGE.map(({ name }) => name).join()
  await runSql(
    sql,
    `insert into events.state_change (${names}) select ${names} from ${unnest(STATE_CHANGE)}`,
    arraysOf(STATE_CHANGE, changes),
  )
}

/** In the order of ids, so that two of them never wait for each other. */
const LOCK = `
  select id, status, severity, status <> $2 as "isOther" from events.event where id = any($1) order by id for no key update`

const INSERT_CHANGES = `
  insert into events.status_change
    (event_id, at, changed_by, from_status, to_status, from_severity, to_severity, comment, position)
  select id, $2, $3, status, $4, severity, severity, $5, events.next_position()
  from events.event where id = any($1) order by id`

const UPDATE = `
  update events.event set status = $2, last_updated_at = greatest(last_updated_at, $3) where id = any($1)`

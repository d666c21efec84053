import type { MikroORM } from '@mikro-orm/postgresql'
import { auditTargets } from '../../../platform/audit/audit.ts'
import { arraysOf, unnest } from '../../../platform/database/copy.ts'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import { changeKindOf, type State } from '../notifications/change.ts'
import { indexEvents, lockSearch } from '../read/index/search.repository.ts'
import { STATE_CHANGE, type StateChange } from './writer.columns.ts'

export interface NewStatus {
  eventIds: readonly string[]
  /** Null: as it is. */
  status: string | null
  /** Null removes it; undefined: as it is. */
  assignee?: string | null | undefined
  /** The same. */
  ticket?: string | null | undefined
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
  set({ eventIds, ...change }: NewStatus): Promise<Map<string, boolean>> {
    const { status, comment, assignee, ticket } = change
    return inTransaction(this.orm.em, async (sql) => {
      await lockSearch(sql)
      const events = await runSql<LockedEvent & { isOther: boolean }>(sql, LOCK, [
        eventIds,
        status,
        ...[assignee !== undefined, assignee, ticket !== undefined, ticket],
      ])
      const isChanged = ({ isOther }: { isOther: boolean }) => isOther || comment !== null
      const changed = events.filter(isChanged).map(({ id }) => id)
      auditTargets(changed)
      if (changed.length > 0) {
        if (this.rules.isOn) await noteChanges(sql, events, status)
        await writeStatus(sql, changed, change)
      }
      return new Map(events.map((event) => [event.id, isChanged(event)]))
    })
  }
}

/** Sets a status of events, under the lock of the search tables. */
export async function writeStatus(
  sql: Sql,
  ids: readonly string[],
  { status, user, assignee, ticket, comment }: Omit<NewStatus, 'eventIds'>,
): Promise<void> {
  const text = [said('Assigned to', assignee), said('Ticket', ticket), comment]
  const whole = text.filter((part) => part !== null).join('. ') || null
  await runSql(sql, INSERT_CHANGES, [ids, currentTime(), user, status, whole])
  const given = [assignee !== undefined, assignee, ticket !== undefined, ticket]
  await runSql(sql, UPDATE, [ids, status, currentTime(), ...given])
  await indexEvents(sql, ids)
}

/** Words of the history for what a change sets besides the status. */
const said = (what: string, value: string | null | undefined): string | null =>
  value === undefined ? null : `${what} ${value ?? 'none'}`

export interface LockedEvent extends State {
  id: string
}

/** Notes for rules what changes. */
export async function noteChanges(
  sql: Sql,
  events: readonly LockedEvent[],
  given: string | null,
): Promise<void> {
  const at = currentTime()
  const changes = events.flatMap((event): StateChange[] => {
    const { id: eventId, severity } = event
    const status = given ?? event.status
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
  select id, status, severity, (status <> coalesce($2, status)
    or $3 and assignee is distinct from $4 or $5 and ticket is distinct from $6) as "isOther" from events.event where id = any($1) order by id for no key update`

const INSERT_CHANGES = `
  insert into events.status_change
    (event_id, at, changed_by, from_status, to_status, from_severity, to_severity, comment, position)
  select id, $2, $3, status, coalesce($4, status), severity, severity, $5, events.next_position()
  from events.event where id = any($1) order by id`

const UPDATE = `
  update events.event set status = coalesce($2, status),
    assignee = case when $4 then $5 else assignee end, ticket = case when $6 then $7 else ticket end,
    last_updated_at = greatest(last_updated_at, $3) where id = any($1)`

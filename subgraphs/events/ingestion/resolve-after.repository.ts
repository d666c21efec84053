import { durationMs } from '../../../formats/duration.ts'
import type { Orm } from '../../../platform/database/orm.ts'
import { inTransaction, runSql } from '../../../platform/database/sql.ts'
import { lockSearch } from '../read/index/search.repository.ts'
import { RESOLVE_AFTER_USER } from './event-state.ts'
import { type LockedEvent, noteChanges, writeStatus } from './status.repository.ts'

/** Events of one transaction: the index waits meanwhile. */
const AT_ONCE = 500
const CLOSED = 'CLOSED'

/** Closes events that nothing has changed for a time. */
export class ResolveAfterRepository {
  readonly #afterMs: number

  /** @param after EVENTS_RESOLVE_AFTER */
  constructor(
    private readonly orm: Orm,
    private readonly rules: { isOn: boolean },
    private readonly after: string,
  ) {
    this.#afterMs = durationMs(after)
  }

  /** @returns how many it closed; more may be left where it is more than none */
  close(now: Date): Promise<number> {
    return inTransaction(
      this.orm.em,
      async (sql) => {
        await lockSearch(sql)
        const before = new Date(now.getTime() - this.#afterMs)
        const events = await runSql<LockedEvent>(sql, LOCK, [before, AT_ONCE])
        if (events.length === 0) return 0
        if (this.rules.isOn) await noteChanges(sql, events, CLOSED)
        const comment = `No occurrence and no change for ${this.after}`
        const ids = events.map(({ id }) => id)
        await writeStatus(sql, ids, { status: CLOSED, comment, user: RESOLVE_AFTER_USER })
        return events.length
      },
      { isAudited: false },
    )
  }
}

/** Those that are open are few among all, so the index of contents finds them; the row decides. */
const LOCK = `
  select id, status, severity from events.event where id = any (array(
    select event.id from events.event_search as search join events.event on event.id = search.event_id
    where (search.content @> '{"status":"OPEN"}' or search.content @> '{"status":"ACKNOWLEDGED"}')
      and event.status in ('OPEN', 'ACKNOWLEDGED') and event.last_seen_at < $1 and event.last_updated_at < $1
      and not exists (
        select from events.heartbeat where is_missing and event.event_class = 'heartbeat' and name = event.source_ref)
    limit $2))
  and status in ('OPEN', 'ACKNOWLEDGED') and last_seen_at < $1 and last_updated_at < $1
  order by id for no key update`

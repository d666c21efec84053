import type { MikroORM } from '@mikro-orm/postgresql'
import { indexEvents, lockSearch } from '../search/search.repository.ts'
import { inTransaction, runSql } from '../tables/sql.repository.ts'

export interface NewStatus {
  eventId: string
  status: string
  /** Who sets it. */
  user: string
}

/** Sets the status of an event and remembers who did. */
export class StatusRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /** Setting the present status again changes nothing. @returns whether the event exists */
  set({ eventId, status, user }: NewStatus): Promise<boolean> {
    return inTransaction(this.#orm, async (sql) => {
      await lockSearch(sql)
      const [event] = await runSql<{ status: string; severity: string }>(
        sql,
        'select status, severity from events.event where id = $1 for no key update',
        [eventId],
      )
      if (event && event.status !== status) {
        await runSql(
          sql,
          'update events.event set status = $2, last_updated_at = greatest(last_updated_at, $3) where id = $1',
          [eventId, status, new Date()],
        )
        await runSql(sql, INSERT_CHANGE, [
          eventId,
          new Date(),
          user,
          event.status,
          status,
          event.severity,
        ])
        await indexEvents(sql, [eventId])
      }
      return event !== undefined
    })
  }
}

const INSERT_CHANGE = `
  insert into events.status_change (event_id, at, changed_by, from_status, to_status, from_severity, to_severity, position)
  values ($1, $2, $3, $4, $5, $6, $6, events.next_position())`

import type { Orm } from '../../../platform/database/orm.ts'
import { runSql } from '../../../platform/database/sql.ts'
import { type Condition, whereAll } from '../../../platform/event-query/condition.ts'
import { SEVERITIES, STATUSES } from '../../../platform/event-query/words.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import type { HistogramSpan } from './histogram-span.ts'
import { type Within, withinTime } from './query-timeout.ts'

/** A sum over some of the dimensions; null where it is over all of one. */
export interface Counted {
  startMs: number | null
  severity: string | null
  status: string | null
  occurrences: number
  events: number
}

/** Sums the counts per minute by interval, severity and status, all in one pass. */
export class StatisticsRepository {
  readonly #within: Within

  constructor(orm: Orm, { queryTimeoutMs } = DEFAULT_SETTINGS) {
    this.#within = withinTime(orm, queryTimeoutMs)
  }

  /** @param conditions on `event` */
  count(
    { from, to, minutes }: HistogramSpan,
    conditions: readonly Condition[],
  ): Promise<Counted[]> {
    const inSpan = {
      sql: 'counted.minute >= ? and counted.minute < ?',
      parameters: [from, to],
    }
    const where = whereAll([inSpan, ...conditions], 3)
    const statement = `select (extract(epoch from bucket) * 1000)::float8 as "startMs", severity, status,
        sum(occurrences)::float8 as occurrences, count(distinct event_id)::float8 as events
      from (
        select date_bin($1::interval, counted.minute, timestamptz 'epoch') as bucket,
          counted.event_id, counted.occurrences,
          case when event.severity = any($2) then event.severity else '${OTHER}' end as severity,
          case when event.status = any($3) then event.status else '${OTHER}' end as status
        from events.event_minute as counted join events.event on event.id = counted.event_id ${where.sql}
      ) as counts
      group by grouping sets ((), (severity), (status), (bucket), (bucket, severity), (bucket, status))`
    const parameters = [`${minutes} minutes`, SEVERITIES, STATUSES, ...where.parameters]
    return this.#within((sql) => runSql<Counted>(sql, statement, parameters))
  }
}

/** Words of clients: there may be any number of them. */
export const OTHER = 'OTHER'

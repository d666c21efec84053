import type { Orm } from '../../../platform/database/orm.ts'
import { runSql } from '../../../platform/database/sql.ts'
import { type Condition, whereAll } from '../../../platform/event-query/condition.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import type { HistogramBucket } from './histogram.type.ts'
import type { HistogramSpan } from './histogram-span.ts'
import { type Within, withinTime } from './query-timeout.ts'

/** Sums the counts per minute. */
export class HistogramRepository {
  readonly #within: Within

  constructor(orm: Orm, { queryTimeoutMs } = DEFAULT_SETTINGS) {
    this.#within = withinTime(orm, queryTimeoutMs)
  }

  /** @param conditions on `event`; without any the events themselves are not read */
  async count(
    { from, to, minutes }: HistogramSpan,
    conditions: readonly Condition[],
  ): Promise<HistogramBucket[]> {
    const where = whereAll(
      [
        { sql: 'counted.minute >= ? and counted.minute < ?', parameters: [from, to] },
        ...conditions,
      ],
      1,
    )
    const join = conditions.length > 0 ? 'join events.event on event.id = counted.event_id' : ''
    const statement = `select (extract(epoch from bucket) * 1000)::float8 as "startMs", occurrences from (
         select date_bin($1::interval, counted.minute, timestamptz 'epoch') as bucket,
           sum(counted.occurrences)::float8 as occurrences
         from events.event_minute as counted ${join} ${where.sql} group by 1
       ) as buckets order by bucket`
    const rows = await this.#within((sql) =>
      runSql<{ startMs: number; occurrences: number }>(sql, statement, [
        `${minutes} minutes`,
        ...where.parameters,
      ]),
    )
    return rows.map(({ startMs, occurrences }) => ({ start: new Date(startMs), occurrences }))
  }
}

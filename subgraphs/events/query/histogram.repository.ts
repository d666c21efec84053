import type { MikroORM } from '@mikro-orm/postgresql'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import type { HistogramBucket } from './histogram.type.ts'
import { type Condition, whereAll } from './language/condition.ts'

export interface HistogramSpan {
  from: Date
  to: Date
  minutes: number
}

/** Sums the counts per minute. */
export class HistogramRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
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
    const rows = await runSql<{ startMs: number; occurrences: number }>(
      await poolOf(this.#orm),
      `select (extract(epoch from bucket) * 1000)::float8 as "startMs", occurrences from (
         select date_bin($1::interval, counted.minute, timestamptz 'epoch') as bucket,
           sum(counted.occurrences)::float8 as occurrences
         from events.event_minute as counted ${join} ${where.sql} group by 1
       ) as buckets order by bucket`,
      [`${minutes} minutes`, ...where.parameters],
    )
    return rows.map(({ startMs, occurrences }) => ({ start: new Date(startMs), occurrences }))
  }
}

import type { Orm } from '../../../../platform/database/orm.ts'
import { runSql } from '../../../../platform/database/sql.ts'
import { DEFAULT_SETTINGS } from '../../settings.ts'
import { type Within, withinTime } from '../query-timeout.ts'
import type { EventFieldValue } from './suggestion.type.ts'

/** Suggestions follow the newest events: to look through all of them would take too long for a key stroke. */
export const LOOKED_AT = 2_000

const NEWEST = `(select * from events.event order by first_seen_at desc, id desc limit ${LOOKED_AT}) as event`

/** Reads what the newest events are made of. */
export class SuggestionRepository {
  readonly #within: Within

  constructor(orm: Orm, { queryTimeoutMs } = DEFAULT_SETTINGS) {
    this.#within = withinTime(orm, queryTimeoutMs)
  }

  /** Keys of properties, the most frequent first. */
  async keys(prefix: string, limit: number): Promise<string[]> {
    const statement = `select key from ${NEWEST}, jsonb_object_keys(event.properties) as key
      where starts_with(lower(key), lower($1)) group by key order by count(*) desc, key limit $2`
    const rows = await this.#within((sql) =>
      runSql<{ key: string }>(sql, statement, [prefix, limit]),
    )
    return rows.map(({ key }) => key)
  }

  /** @param column of `VALUES` @param parameters of its expression, from `$3` on */
  values(
    { from, value }: ValueSource,
    parameters: readonly string[],
    prefix: string,
    limit: number,
  ): Promise<EventFieldValue[]> {
    const statement = `select ${value} as value, count(*)::int as events from ${NEWEST} ${from}
      where starts_with(lower(${value}), lower($1)) group by 1 order by 2 desc, 1 limit $2`
    return this.#within((sql) =>
      runSql<EventFieldValue>(sql, statement, [prefix, limit, ...parameters]),
    )
  }
}

/** Source of the values of a field: SQL behind `event`, and the value in it. */
export interface ValueSource {
  from: string
  value: string
}

const column = (value: string): ValueSource => ({ from: '', value: `event.${value}` })

/** By the name of the field. */
export const VALUES: Readonly<Record<string, ValueSource>> = {
  severity: column('severity'),
  status: column('status'),
  tags: { from: ', jsonb_array_elements_text(event.tags) as tag', value: 'tag' },
  eventClass: column('event_class'),
  assignee: column('assignee'),
  'source.ref': column('source_ref'),
  'source.type': column('source_type'),
  'source.name': column('source_name'),
}

/** Values of a key of properties, which is `$3`; lists and objects are none. */
export const PROPERTY_VALUES: ValueSource = {
  from: `cross join lateral (select case when jsonb_typeof(event.properties -> $3) in ('string', 'number', 'boolean')
    then event.properties ->> $3 end as text) as property`,
  value: 'property.text',
}

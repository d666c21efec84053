import type { MikroORM } from '@mikro-orm/postgresql'
import type { HorizonRepository } from '../../shared/position/horizon.repository.ts'
import { NUMBER_KEY_LENGTH } from '../tables/search.entity.ts'
import { inTransaction, runSql, type Sql } from '../tables/sql.repository.ts'

/** Whoever changes the search tables does so alone, in whichever process. */
const SEARCH_LOCK = 727_403

/** Fills the tables that queries look things up in. */
export class SearchRepository {
  readonly #orm: MikroORM
  readonly #horizon: Pick<HorizonRepository, 'read'>

  constructor(orm: MikroORM, horizon: Pick<HorizonRepository, 'read'>) {
    this.#orm = orm
    this.#horizon = horizon
  }

  /**
   * Indexes raw events that were committed behind the last indexed one, and their events as they are by now.
   * @param limit raw events at most @returns how many it were; 0 also while another process is at it
   */
  async fill(limit: number): Promise<number> {
    const { complete, last: lastDrawn } = await this.#horizon.read()
    return inTransaction(this.#orm, async (sql) => {
      const [lock] = await runSql<{ isMine: boolean }>(
        sql,
        'select pg_try_advisory_xact_lock($1) as "isMine"',
        [SEARCH_LOCK],
      )
      if (!lock?.isMine) return 0
      const [from] = await runSql<{ id: string }>(sql, INDEXED, [lastDrawn])
      const part = await runSql<{ id: string; eventId: string }>(sql, NEXT_PART, [
        from?.id,
        complete,
        limit,
      ])
      const last = part.at(-1)
      if (!last) return 0
      for (const statement of INDEX_RAW_EVENTS) await runSql(sql, statement, [from?.id, last.id])
      await indexEvents(sql, [...new Set(part.map(({ eventId }) => eventId))])
      await runSql(sql, 'update events.search_position set id = $1', [last.id])
      return part.length
    })
  }
}

/** For a change of an event without a raw event: in its transaction, before the first read. */
export const lockSearch = (sql: Sql): Promise<unknown> =>
  runSql(sql, 'select pg_advisory_xact_lock($1)', [SEARCH_LOCK])

/** Indexes events as they are in this transaction. */
export async function indexEvents(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const statement of INDEX_EVENTS) await runSql(sql, statement, [ids])
}

/**
 * Up to where everything is indexed. $1: the last id that was drawn, which is less in a promoted replica that no raw events
 * are left in: its sequence begins anew.
 */
const INDEXED = 'select least(id, $1::bigint)::text as id from events.search_position'

/** $1: behind which id, $2: up to which one, $3: how many. */
const NEXT_PART = `
  select raw.id::text as id, raw.event_id as "eventId"
  from events.raw_event as raw where raw.id > $1::bigint and raw.id <= $2::bigint
  order by raw.id limit $3`

const contentOf = (row: string) => `
  jsonb_strip_nulls(jsonb_build_object('severity', ${row}.severity, 'status', ${row}.status, 'tags', ${row}.tags,
    'properties', ${row}.properties, 'class', ${row}.event_class, 'ref', ${row}.source_ref, 'type', ${row}.source_type,
    'name', ${row}.source_name, 'keys', (select jsonb_agg(key) from jsonb_object_keys(${row}.properties) as key)))`

const wordsOf = (row: string) => `
  concat_ws(E'\\n', ${row}.title, ${row}.message, ${row}.severity, ${row}.status, ${row}.event_class, ${row}.source_ref,
    ${row}.source_type, ${row}.source_name, (select string_agg(tag, E'\\n') from jsonb_array_elements_text(${row}.tags) as tag))`

const numbersOf = (row: string) => `
  (select left(key, ${NUMBER_KEY_LENGTH}) as key, value::numeric as value from jsonb_each(${row}.properties)
   where jsonb_typeof(value) = 'number')`

/** $1: behind which id, $2: up to which one. */
const INDEX_RAW_EVENTS = [
  `insert into events.raw_search (received_at, id, occurred_at, content, words)
  select raw.received_at, raw.id, raw.occurred_at, ${contentOf('raw')}, ${wordsOf('raw')}
  from events.raw_event as raw where raw.id > $1::bigint and raw.id <= $2::bigint
  on conflict do nothing`,
  `insert into events.raw_number (key, value, received_at, id)
  select number.key, number.value, raw.received_at, raw.id
  from events.raw_event as raw cross join lateral ${numbersOf('raw')} as number where raw.id > $1::bigint and raw.id <= $2::bigint
  on conflict do nothing`,
]

/** $1: ids. */
const INDEX_EVENTS = [
  `insert into events.event_search (event_id, first_seen_at, last_seen_at, times_seen, content, words)
  select event.id, event.first_seen_at, event.last_seen_at, event.times_seen, ${contentOf('event')}, ${wordsOf('event')}
  from events.event where event.id = any ($1::uuid[])
  on conflict (event_id) do update set first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
    times_seen = excluded.times_seen, content = excluded.content, words = excluded.words`,
  // Most numbers stay as they are, and their rows are not written again.
  `with fresh as (
    select number.key, number.value, event.first_seen_at, event.id as event_id
    from events.event cross join lateral ${numbersOf('event')} as number where event.id = any ($1::uuid[])
  ), gone as (
    delete from events.event_number as old
    where old.event_id = any ($1::uuid[]) and not exists (
      select from fresh
      where (fresh.key, fresh.value, fresh.first_seen_at, fresh.event_id) = (old.key, old.value, old.first_seen_at, old.event_id))
  )
  insert into events.event_number (key, value, first_seen_at, event_id)
  select key, value, first_seen_at, event_id from fresh
  on conflict do nothing`,
]

import type { MikroORM } from '@mikro-orm/postgresql'
import { inTransaction, runSql, type Sql } from '../../../../platform/database/sql.ts'
import { NUMBER_KEY_LENGTH } from '../../../../platform/event-query/fields.ts'
import type { HorizonRepository } from '../../../../platform/position/horizon.repository.ts'

/** Whoever changes the search tables does so alone, in whichever process. */
const SEARCH_LOCK = 727_403

/** A part of large events ends here: changes of events wait for its transaction. Those of typical events are smaller. */
const PART_BYTES = 4 * 1024 * 1024

/** Rows that one transaction has indexed. */
export interface Filled {
  /** Raw events; 0 also while another process indexes. */
  indexed: number
  /** True if these were all that it could index. */
  isAll: boolean
  /** Raw events that are stored behind these, about. */
  left: number
  /** Age of the last one of these. */
  lagSeconds: number
}

/** Fills the tables that queries look things up in. */
export class SearchRepository {
  readonly #orm: MikroORM
  readonly #horizon: Pick<HorizonRepository, 'read'>
  /** Backend of the transaction that indexes. */
  #backend: number | undefined

  constructor(orm: MikroORM, horizon: Pick<HorizonRepository, 'read'>) {
    this.#orm = orm
    this.#horizon = horizon
  }

  /** Raw events that are stored and not indexed, about. */
  async left(): Promise<number> {
    const { last } = await this.#horizon.read()
    const [row] = await runSql<{ left: number }>(this.#orm.em.fork(), LEFT, [last, COUNTED])
    return row?.left ?? 0
  }

  /** Ends the statement that `fill` runs here, if it does, and with it the transaction: indexing them begins anew. */
  async cancel(): Promise<void> {
    if (this.#backend) await runSql(this.#orm.em.fork(), CANCEL, [this.#backend, SEARCH_LOCK])
  }

  /**
   * Indexes raw events that were committed behind the last indexed one, and their events as they are by now.
   * @param limit raw events at most; fewer where they are large
   */
  async fill(limit: number): Promise<Filled> {
    const { complete, last: lastDrawn } = await this.#horizon.read()
    return inTransaction(
      this.#orm.em,
      async (sql) => {
        const [lock] = await runSql<{ isMine: boolean; backend: number }>(sql, TRY_LOCK, [
          SEARCH_LOCK,
        ])
        const [from] = await runSql<{ id: string }>(sql, INDEXED, [lastDrawn])
        const leftBehind = (id = '0') => Number(lastDrawn) - Number(id)
        const none = { indexed: 0, isAll: true, lagSeconds: 0 }
        if (!lock?.isMine) return { ...none, left: leftBehind(from?.id) }
        this.#backend = lock.backend
        const range = [from?.id, complete, limit, PART_BYTES]
        const [part] = await runSql<NextPart>(sql, NEXT_PART, range)
        if (!part?.last) return { ...none, left: 0 }
        await runSql(sql, INDEX_RAW_EVENTS, [from?.id, part.last])
        await indexEvents(sql, part.eventIds)
        await runSql(sql, 'update events.search_position set id = $1', [part.last])
        const { length: indexed, isAll, lagSeconds } = part
        return { indexed, isAll, left: leftBehind(part.last), lagSeconds }
      },
      { settings: SETTINGS },
    ).finally(() => {
      this.#backend = undefined
    })
  }
}

const TRY_LOCK = 'select pg_try_advisory_xact_lock($1) as "isMine", pg_backend_pid() as backend'

/** $1: process, $2: what it locks. One that does not any more may work for others. */
const CANCEL = `
  select pg_cancel_backend(pid) from pg_locks
  where locktype = 'advisory' and pid = $1 and classid = 0 and objid::bigint = $2
    and objsubid = 1 and granted`

/** For a change of an event without a raw event: in its transaction, before the first read. */
export const lockSearch = (sql: Sql): Promise<unknown> =>
  runSql(sql, 'select pg_advisory_xact_lock($1)', [SEARCH_LOCK])

/** Indexes events as they are in this transaction. */
export async function indexEvents(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const statement of INDEX_EVENTS) await runSql(sql, statement, [ids])
}

/** Takes deleted events out of the index, under its lock. */
export async function dropFromSearch(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const statement of DROP_EVENTS) await runSql(sql, statement, [ids])
}

/**
 * Up to where everything is indexed. $1: the last id that was drawn, which is less in a promoted replica that no raw events
 * are left in: its sequence begins anew.
 */
const INDEXED = 'select least(id, $1::bigint)::text as id from events.search_position'

/** Ids without a raw event, of transactions that were rolled back, matter among few; of many, only about how many counts. */
const COUNTED = 10_000
const LEFT = `
  select case when $1::bigint - id > $2 then $1::bigint - id
    else (select count(*) from events.raw_event as raw where raw.id > position.id)
    end::float8 as left
  from events.search_position as position`

const sizeOf = (columns: readonly string[], bytes: (column: string) => string) =>
  columns.map((column) => `coalesce(${bytes(`raw.${column}`)}, 0)`).join(' + ')

/** Bytes of a row as they are stored, which takes no reading of large values. */
const STORED_BYTES = sizeOf(
  ['title', 'message', 'tags', 'properties'],
  (it) => `pg_column_size(${it})`,
)

/** Bytes of a row without compression, which stores what repeats in a hundredth of them. Of JSON, only a copy tells. */
const WHOLE_BYTES = [
  sizeOf(['title', 'message'], (text) => `octet_length(${text})`),
  sizeOf(
    ['tags', 'properties'],
    (json) =>
      `pg_column_size(case when pg_column_compression(${json}) is null then ${json} else ${json} || '{}' end)`,
  ),
].join(' + ')

/** $1: behind which id, $2: up to which one, $3: how many, $4: bytes that a row may stand behind, as stored and as they are. */
const NEXT_PART = `
  with seen as materialized (
    select raw.id, raw.event_id, raw.received_at, raw.title, raw.message, raw.tags, raw.properties,
      sum(${STORED_BYTES}) over (order by raw.id) - (${STORED_BYTES}) as stored_before
    from events.raw_event as raw
    where raw.id > $1::bigint and raw.id <= $2::bigint order by raw.id limit $3
  ), sized as materialized (
    select id, event_id, received_at, ${WHOLE_BYTES} as bytes from seen as raw where stored_before < $4
  ), part as (select *, sum(bytes) over (order by id) - bytes as bytes_before from sized)
  select count(*)::int as length, (select count(*) from seen) = count(*) and count(*) < $3 as "isAll",
    max(id)::text as last, array_agg(distinct event_id::text) as "eventIds",
    extract(epoch from clock_timestamp() - max(received_at))::float8 as "lagSeconds"
  from part where bytes_before < $4`

interface NextPart {
  length: number
  isAll: boolean
  last: string | null
  eventIds: string[]
  lagSeconds: number
}

/** Tables grow from part to part, and statistics follow later: without them the planner scans and sorts whole tables. */
const SETTINGS = { enable_seqscan: 'off', enable_mergejoin: 'off', enable_sort: 'off' }

const contentOf = (row: string) => `
  jsonb_strip_nulls(jsonb_build_object('severity', ${row}.severity, 'status', ${row}.status, 'tags', ${row}.tags,
    'properties', ${row}.properties, 'class', ${row}.event_class, 'ref', ${row}.source_ref, 'type', ${row}.source_type,
    'name', ${row}.source_name, 'keys', (select jsonb_agg(key) from jsonb_object_keys(${row}.properties) as key)))`

const wordsOf = (row: string) => `
  concat_ws(E'\\n', ${row}.title, ${row}.message, ${row}.severity, ${row}.status, ${row}.event_class, ${row}.source_ref,
    ${row}.source_type, ${row}.source_name, (select string_agg(tag, E'\\n') from jsonb_array_elements_text(${row}.tags) as tag))`

const numbersOf = (properties: string) => `
  (select left(key, ${NUMBER_KEY_LENGTH}) as key, value::numeric as value from jsonb_each(${properties})
   where jsonb_typeof(value) = 'number')`

/** Hash of all that is indexed of a row. @param place of the row in its list, where that is indexed, too */
const hashOf = (row: string, place = 'null') => `
  encode(substr(sha256(convert_to(row(${place}, ${row}.title, ${row}.message, ${row}.severity, ${row}.status,
    ${row}.event_class, ${row}.source_ref, ${row}.source_type, ${row}.source_name, ${row}.tags, ${row}.properties)::text,
    'UTF8')), 1, 16), 'hex')::uuid`

/** $1: behind which id, $2: up to which one. Most occurrences bring a content that came before on that day. */
const INDEX_RAW_EVENTS = `
  with part as materialized (
    select raw.*, (raw.received_at at time zone 'UTC')::date as day, ${hashOf('raw')} as hash
    from events.raw_event as raw where raw.id > $1::bigint and raw.id <= $2::bigint
  ), fresh as materialized (
    select distinct on (hash, day) part.* from part
    where not exists (
      select from events.raw_content as known where (known.id, known.day) = (part.hash, part.day))
  ), contents as (
    insert into events.raw_content (id, day, content, words)
    select hash, day, ${contentOf('fresh')}, ${wordsOf('fresh')} from fresh
  ), numbers as (
    insert into events.raw_number (key, value, content_id, day)
    select number.key, number.value, hash, day from fresh cross join lateral ${numbersOf('fresh.properties')} as number
    on conflict do nothing
  )
  insert into events.raw_posting (content_id, id, received_at, occurred_at, day)
  select hash, id, received_at, occurred_at, day from part
  on conflict do nothing`

/** Time for which contents that an event had are kept: most of them come again. */
const CONTENT_KEPT = `interval '1 minute'`

const eventNumbersOf = (contents: string, properties: string) => `
  select number.key, number.value, ${contents}.first_seen_at, ${contents}.event_id
  from ${contents} cross join lateral ${numbersOf(properties)} as number`

/**
 * $1: ids. A content that the event had before is not written again: hot events come with the same few in turn. A new one
 * drops those that have been there for a while, so their number has a bound.
 */
const INDEX_EVENTS = [
  `insert into events.event_seen (event_id, first_seen_at, last_seen_at, times_seen)
  select id, first_seen_at, last_seen_at, times_seen from events.event where id = any ($1::uuid[])
  on conflict (event_id) do update set first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
    times_seen = excluded.times_seen`,
  `with hashed as materialized (
    select event.*, event.id as event_id, ${hashOf('event', `event.first_seen_at at time zone 'UTC'`)} as hash
    from events.event where id = any ($1::uuid[])
  ), changed as materialized (
    select hashed.* from hashed where not exists (
      select from events.event_search as known where (known.event_id, known.hash) = (hashed.id, hashed.hash))
  ), had as materialized (
    select known.*, known.indexed_at < now() - ${CONTENT_KEPT} as is_dropped
    from events.event_search as known where known.event_id = any (array(select id from changed))
  ), dropped as (
    delete from events.event_search as old using had
    where had.is_dropped and (old.event_id, old.hash) = (had.event_id, had.hash)
  ), fresh as materialized (${eventNumbersOf('changed', 'changed.properties')}
  ), gone as (
    delete from events.event_number as old using (
      (${eventNumbersOf('had', `had.content -> 'properties'`)} where had.is_dropped)
      except (${eventNumbersOf('had', `had.content -> 'properties'`)} where not had.is_dropped)
      except select * from fresh) as number
    where (old.key, old.value, old.first_seen_at, old.event_id) =
      (number.key, number.value, number.first_seen_at, number.event_id)
  ), numbers as (
    insert into events.event_number (key, value, first_seen_at, event_id) select * from fresh
    on conflict do nothing
  )
  insert into events.event_search (event_id, first_seen_at, hash, indexed_at, content, words)
  select id, first_seen_at, hash, now(), ${contentOf('changed')}, ${wordsOf('changed')} from changed`,
]

/** $1: ids. */
const DROP_EVENTS = [
  `with had as (delete from events.event_search where event_id = any ($1::uuid[]) returning *)
  delete from events.event_number as old using (${eventNumbersOf('had', `had.content -> 'properties'`)}) as number
  where (old.key, old.value, old.first_seen_at, old.event_id) =
    (number.key, number.value, number.first_seen_at, number.event_id)`,
  'delete from events.event_seen where event_id = any ($1::uuid[])',
]

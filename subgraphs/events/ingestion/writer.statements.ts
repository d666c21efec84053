import { unnest } from '../../../platform/database/copy.ts'
import { CAUSE, KNOWN_EVENT, MINUTE } from './writer.columns.ts'

/**
 * The statements of one ingestion transaction, besides those that append. Rows travel as an array for each column: the
 * number of parameters, and so the statement's plan, is the same for one row and for thousands: each has a name, and is
 * parsed and planned once per connection.
 */

/** Plans are made while tables may still be empty, and must be right when they are full. */
export const SETTINGS = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' }

/** Locks events in order of id, the same in every transaction, so that writers cannot deadlock. $1: ids. */
export const LOCK_EVENTS = {
  name: 'lock-events',
  text: `
  select id::text, severity, status, times_seen::float8 as "timesSeen",
    (extract(epoch from first_seen_at) * 1000)::float8 as "firstSeenMs",
    (extract(epoch from last_seen_at) * 1000)::float8 as "lastSeenMs",
    (extract(epoch from last_updated_at) * 1000)::float8 as "lastUpdatedMs"
  from events.event where id = any ($1::uuid[]) order by id for no key update`,
}

/** The columns of `KNOWN_EVENT`, then those of `MINUTE`: of events that are locked. */
export const UPDATE_EVENTS = {
  name: 'update-events',
  text: `
  with minutes as (
    insert into events.event_minute as counted (event_id, minute, occurrences)
    select event_id, minute, occurrences from ${unnest(MINUTE, KNOWN_EVENT.length + 1)}
    on conflict (event_id, minute) do update set occurrences = counted.occurrences + excluded.occurrences
  )
  update events.event as event set
    title = case when overwrites then row.title else event.title end,
    message = case when overwrites then row.message else event.message end,
    severity = row.severity,
    status = row.status,
    source_name = case when overwrites then row.source_name else event.source_name end,
    sender = case when overwrites then row.sender else event.sender end,
    properties = case when overwrites then row.properties else event.properties end,
    tags = case when overwrites then row.tags else event.tags end,
    first_seen_at = row.first_seen_at,
    last_seen_at = row.last_seen_at,
    last_updated_at = row.last_updated_at,
    times_seen = row.times_seen,
    execution_id = coalesce(row.execution_id, event.execution_id)
  from ${unnest(KNOWN_EVENT)}
  where event.id = row.id`,
}

/** The columns of `CAUSE`. */
export const LINK_EXECUTIONS = {
  name: 'link-executions',
  text: `
  insert into events.execution_event (execution_id, event_id, context_id, context_type)
  select execution_id, event_id, context_id, context_type from ${unnest(CAUSE)}
  on conflict (execution_id, event_id) do nothing`,
}

/** The id of the last raw event, which shows after a lost connection whether the transaction committed. */
export const LAST_ID = `select currval('events.raw_event_id_seq')::text`

/**
 * The statements of one ingestion transaction. Rows travel as one JSON parameter for each table: the number of
 * parameters, and so the statement's plan, is the same for one row and for thousands: each has a name, and is parsed and
 * planned once per connection.
 */

/** Plans are made while tables may still be empty, and must be right when they are full. */
export const BEGIN =
  'begin; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan'

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

/** $1: rows in order of id. Returns the ids that did not exist. */
export const INSERT_EVENTS = {
  name: 'insert-events',
  text: `
  insert into events.event (id, fingerprint, fingerprint_fields, fingerprint_values, title, message, severity, status,
    source_ref, source_type, source_name, source_properties, sender, properties, tags, event_class,
    first_seen_at, last_seen_at, last_updated_at, times_seen, execution_id)
  select id, fingerprint, "fingerprintFields", "fingerprintValues", title, message, severity, status,
    "sourceRef", "sourceType", "sourceName", "sourceProperties", sender, properties, tags, "eventClass",
    "firstSeenAt", "lastSeenAt", "lastUpdatedAt", "timesSeen", "executionId"
  from json_to_recordset($1) as row(id uuid, fingerprint text, "fingerprintFields" jsonb, "fingerprintValues" jsonb, title text, message text,
    severity text, status text, "sourceRef" text, "sourceType" text, "sourceName" text, "sourceProperties" jsonb,
    sender jsonb, properties jsonb, tags jsonb, "eventClass" text, "firstSeenAt" timestamptz,
    "lastSeenAt" timestamptz, "lastUpdatedAt" timestamptz, "timesSeen" bigint, "executionId" text)
  on conflict (id) do nothing
  returning id::text`,
}

/**
 * $1: states of locked events, $2: raw events, $3: counts of minutes in order of (event, minute), $4: changes of
 * status, $5: causes. Returns the id of the transaction, which tells after a lost connection whether it committed.
 */
export const WRITE = {
  name: 'write',
  text: `
  with updated as (
    update events.event as event set
      title = case when overwrites then row.title else event.title end,
      message = case when overwrites then row.message else event.message end,
      severity = row.severity,
      status = row.status,
      source_name = case when overwrites then row."sourceName" else event.source_name end,
      sender = case when overwrites then row.sender else event.sender end,
      properties = case when overwrites then row.properties else event.properties end,
      tags = case when overwrites then row.tags else event.tags end,
      first_seen_at = row."firstSeenAt",
      last_seen_at = row."lastSeenAt",
      last_updated_at = row."lastUpdatedAt",
      times_seen = row."timesSeen",
      execution_id = coalesce(row."executionId", event.execution_id)
    from json_to_recordset($1) as row(id uuid, overwrites boolean, title text, message text, severity text, status text,
      "sourceName" text, sender jsonb, properties jsonb, tags jsonb, "firstSeenAt" timestamptz,
      "lastSeenAt" timestamptz, "lastUpdatedAt" timestamptz, "timesSeen" bigint, "executionId" text)
    where event.id = row.id
  ), raw as (
    insert into events.raw_event (event_id, is_new, title, message, severity, status, source_ref, source_type,
      source_name, source_properties, sender, properties, tags, event_class, occurred_at, received_at, execution_id)
    select "eventId", "isNew", title, message, severity, status, "sourceRef", "sourceType",
      "sourceName", "sourceProperties", sender, properties, tags, "eventClass", "occurredAt", "receivedAt", "executionId"
    from json_to_recordset($2) as row("eventId" uuid, "isNew" boolean, title text, message text, severity text,
      status text, "sourceRef" text, "sourceType" text, "sourceName" text, "sourceProperties" jsonb, sender jsonb,
      properties jsonb, tags jsonb, "eventClass" text, "occurredAt" timestamptz, "receivedAt" timestamptz,
      "executionId" text)
  ), minutes as (
    insert into events.event_minute as counted (event_id, minute, occurrences)
    select "eventId", minute, occurrences
    from json_to_recordset($3) as row("eventId" uuid, minute timestamptz, occurrences int)
    on conflict (event_id, minute) do update set occurrences = counted.occurrences + excluded.occurrences
  ), changes as (
    insert into events.status_change (event_id, at, from_status, to_status, from_severity, to_severity)
    select "eventId", at, "fromStatus", "toStatus", "fromSeverity", "toSeverity"
    from json_to_recordset($4) as row("eventId" uuid, at timestamptz, "fromStatus" text, "toStatus" text,
      "fromSeverity" text, "toSeverity" text)
  ), causes as (
    insert into events.execution_event (execution_id, event_id, context_id, context_type)
    select "executionId", "eventId", "contextId", "contextType"
    from json_to_recordset($5) as row("executionId" text, "eventId" uuid, "contextId" text, "contextType" text)
    on conflict (execution_id, event_id) do nothing
  )
  select pg_current_xact_id()::text as xact`,
}

import { Migration } from '@mikro-orm/migrations'

/**
 * Events, their occurrences and their counts. Every unique key contains the event's id where the table can
 * grow past one machine. Raw events and minutes are partitioned by day; `partition.repository.ts` adds the partitions.
 * No index covers a column that every occurrence changes, so counting stays a heap-only update.
 */
export class CreateEvents extends Migration {
  override up(): void {
    this.addSql(`
      create table events.event (
        id uuid primary key,
        fingerprint text not null,
        fingerprint_fields jsonb not null,
        fingerprint_values jsonb not null,
        title text not null,
        message text,
        severity text not null,
        status text not null,
        source_ref text,
        source_type text,
        source_name text,
        source_properties jsonb,
        sender jsonb,
        properties jsonb not null,
        tags jsonb not null,
        event_class text,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        last_updated_at timestamptz not null,
        times_seen bigint not null,
        execution_id text
      ) with (fillfactor = 80)`)
    this.addSql(
      'create index event_first_seen_at_index on events.event (first_seen_at desc, id desc)',
    )
    for (const column of ['severity', 'status', 'source_ref'])
      this.addSql(
        `create index event_${column}_index on events.event (left(${column}, 64), first_seen_at desc, id desc)`,
      )
    this.addSql('create index event_tags_index on events.event using gin (tags jsonb_path_ops)')
    this.addSql('create sequence events.raw_event_id_seq')
    this.addSql(`
      create table events.raw_event (
        id bigint not null default nextval('events.raw_event_id_seq'),
        event_id uuid not null,
        xact xid8 not null default pg_current_xact_id(),
        is_new boolean not null,
        title text not null,
        message text,
        severity text not null,
        status text not null,
        source_ref text,
        source_type text,
        source_name text,
        source_properties jsonb,
        sender jsonb,
        properties jsonb not null,
        tags jsonb not null,
        event_class text,
        occurred_at timestamptz not null,
        received_at timestamptz not null,
        execution_id text,
        primary key (event_id, received_at, id)
      ) partition by range (received_at)`)
    this.addSql('create index raw_event_xact_id_index on events.raw_event (xact, id)')
    this.addSql(`
      create table events.event_minute (
        event_id uuid not null,
        minute timestamptz not null,
        occurrences int not null,
        primary key (event_id, minute)
      ) partition by range (minute)`)
    this.addSql('create index event_minute_minute_index on events.event_minute (minute)')
    this.addSql(`
      create table events.status_change (
        id bigserial,
        event_id uuid not null,
        at timestamptz not null,
        changed_by text,
        from_status text not null,
        to_status text not null,
        from_severity text not null,
        to_severity text not null,
        primary key (event_id, id)
      )`)
    this.addSql(`
      create table events.execution_event (
        execution_id text not null,
        event_id uuid not null,
        context_id text not null,
        context_type text not null,
        primary key (execution_id, event_id)
      )`)
    this.addSql(
      'create index execution_event_context_id_index on events.execution_event (context_id, event_id)',
    )
    this.addSql('create index execution_event_event_id_index on events.execution_event (event_id)')
    this.addSql(`
      create table events.answered_request (
        account text not null,
        key text not null,
        digest text not null,
        result jsonb not null,
        answered_at timestamptz not null,
        primary key (account, key)
      )`)
    this.addSql(
      'create index answered_request_answered_at_index on events.answered_request (answered_at)',
    )
  }
}

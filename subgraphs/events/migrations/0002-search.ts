import { Migration } from '@mikro-orm/migrations'

/**
 * Tables in which queries look up what may match. They are filled behind the stream: an ingestion pays for no index but
 * those of identity and order. `search.repository.ts` fills them, `partition.repository.ts` adds the days.
 */
export class Search extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm')
    for (const column of ['severity', 'status', 'source_ref', 'tags'])
      this.addSql(`drop index events.event_${column}_index`)
    this.addSql('drop index events.event_minute_minute_index')
    this.addSql(
      'create index event_minute_minute_index on events.event_minute using brin (minute) with (pages_per_range = 16)',
    )
    this.addSql(`
      create table events.event_search (
        event_id uuid primary key,
        last_seen_at timestamptz not null,
        times_seen bigint not null,
        content jsonb not null,
        words text not null
      )`)
    this.addSql(
      'create index event_search_last_seen_at_index on events.event_search (last_seen_at)',
    )
    this.addSql('create index event_search_times_seen_index on events.event_search (times_seen)')
    this.addSql(`
      create table events.raw_search (
        received_at timestamptz not null,
        xact xid8 not null,
        id bigint not null,
        occurred_at timestamptz not null,
        content jsonb not null,
        words text not null,
        primary key (received_at, xact, id)
      ) partition by range (received_at)`)
    this.addSql(
      'create index raw_search_occurred_at_index on events.raw_search using brin (occurred_at) with (pages_per_range = 16)',
    )
    for (const table of ['event_search', 'raw_search']) {
      this.addSql(
        `create index ${table}_content_index on events.${table} using gin (content jsonb_path_ops)`,
      )
      this.addSql(
        `create index ${table}_words_index on events.${table} using gin (words gin_trgm_ops)`,
      )
      // The sample of the statistics distinguishes rare values from frequent ones.
      this.addSql(`alter table events.${table} alter column content set statistics 1000`)
    }
    this.addSql(`
      create table events.search_position (
        is_only boolean primary key,
        xact xid8 not null,
        id bigint not null
      )`)
    this.addSql(`insert into events.search_position values (true, '0', 0)`)
  }
}

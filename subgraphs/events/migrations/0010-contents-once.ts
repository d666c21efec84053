import { Migration } from '@mikro-orm/migrations'

/**
 * Contents by which occurrences are found are stored once for each day, with a posting for each occurrence. What is
 * indexed is taken over, which takes minutes where there are millions of it. Counts of events leave the table with the
 * expensive indexes: each new count was written to all of them.
 */
export class ContentsOnce extends Migration {
  override up(): void {
    this.addSql('select pg_advisory_xact_lock(727403)') // no other process indexes meanwhile
    this.addSql(`
      create table events.event_seen (
        event_id uuid primary key,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        times_seen bigint not null
      )`)
    this.addSql(`
      insert into events.event_seen (event_id, first_seen_at, last_seen_at, times_seen)
      select event_id, first_seen_at, last_seen_at, times_seen from events.event_search`)
    this.addSql('create index event_seen_last_seen_at_index on events.event_seen (last_seen_at)')
    this.addSql('create index event_seen_times_seen_index on events.event_seen (times_seen)')
    this.addSql(
      'alter table events.event_search drop column last_seen_at, drop column times_seen, add column hash uuid',
    )

    this.addSql('alter table events.raw_search rename to raw_search_before')
    for (const index of ['occurred_at', 'content', 'words', 'ref'])
      this.addSql(`drop index events.raw_search_${index}_index`)
    this.addSql('drop table events.raw_number')
    this.addSql(`
      create table events.raw_content (
        day date not null,
        id uuid not null,
        content jsonb not null,
        words text not null,
        primary key (id, day)
      ) partition by range (day)`)
    this.addSql(`
      create table events.raw_number (
        key text collate "C" not null,
        value numeric not null,
        content_id uuid not null,
        day date not null,
        primary key (key, value, content_id, day)
      ) partition by range (day)`)
    this.addSql(`
      create table events.raw_posting (
        content_id uuid not null,
        id bigint not null,
        received_at timestamptz not null,
        occurred_at timestamptz not null,
        day date not null,
        primary key (content_id, id, day)
      ) partition by range (day)`)
    this.addSql(`
      do $$ declare name text; day date; begin
        for name, day in
          select each, to_date(right(relname, 8), 'YYYYMMDD')
          from pg_inherits join pg_class on pg_class.oid = inhrelid,
            unnest(array['raw_content', 'raw_number', 'raw_posting']) as each
          where inhparent = 'events.raw_search_before'::regclass
        loop
          execute format('create table events.%I partition of events.%I for values from (%L) to (%L)',
            name || to_char(day, '_YYYYMMDD'), name, day, day + 1);
        end loop;
      end $$`)
    const id = `encode(substr(sha256(convert_to(content::text || words, 'UTF8')), 1, 16), 'hex')::uuid`
    const day = `(received_at at time zone 'UTC')::date`
    this.addSql(`
      insert into events.raw_content (day, id, content, words)
      select distinct on (day, id) day, id, content, words
      from (select ${day} as day, ${id} as id, content, words from events.raw_search_before) as before`)
    this.addSql(`
      insert into events.raw_posting (content_id, id, received_at, occurred_at, day)
      select ${id}, id, received_at, occurred_at, ${day} from events.raw_search_before`)
    this.addSql(`
      insert into events.raw_number (key, value, content_id, day)
      select left(key, 200), value::numeric, id, day
      from events.raw_content cross join lateral jsonb_each(content -> 'properties')
      where jsonb_typeof(value) = 'number'
      on conflict do nothing`)
    this.addSql('drop table events.raw_search_before')
    this.addSql(
      'create index raw_content_content_index on events.raw_content using gin (content jsonb_path_ops)',
    )
    this.addSql(
      'create index raw_content_words_index on events.raw_content using gin (words gin_trgm_ops)',
    )
    this.addSql(
      `create index raw_content_ref_index on events.raw_content using btree (left(content ->> 'ref', 200) text_pattern_ops)`,
    )
    this.addSql(
      'create index raw_posting_times_index on events.raw_posting using brin (occurred_at, received_at) with (pages_per_range = 16)',
    )
    this.addSql('alter table events.raw_content alter column content set statistics 1000')
  }
}

import { Migration } from '@mikro-orm/migrations'

const numbersOf = (row: string): string => `
  (select left(key, 200) as key, value::numeric as value from jsonb_each(${row}.properties)
   where jsonb_typeof(value) = 'number') as number`

/**
 * Ranges of properties can be looked up, each number by its property's name, and events in the order of their list. What is
 * there is indexed at once, which takes minutes where there are millions of it.
 */
export class SearchNumbers extends Migration {
  override up(): void {
    this.addSql('select pg_advisory_xact_lock(727403)') // no other process indexes meanwhile
    this.addSql('create type events.raw_key as (received_at timestamptz, xact xid8, id bigint)')
    this.addSql(`
      create table events.event_number (
        key text collate "C" not null,
        value numeric not null,
        first_seen_at timestamptz not null,
        event_id uuid not null,
        primary key (key, value, first_seen_at, event_id)
      )`)
    this.addSql('create index event_number_event_id_index on events.event_number (event_id)')
    this.addSql(`
      create table events.raw_number (
        key text collate "C" not null,
        value numeric not null,
        received_at timestamptz not null,
        xact xid8 not null,
        id bigint not null,
        primary key (key, value, received_at, xact, id)
      ) partition by range (received_at)`)
    this.addSql(`
      do $$ declare day record; begin
        for day in
          select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bound
          from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'events.raw_search'::regclass
        loop
          execute format('create table events.%I partition of events.raw_number %s',
            replace(day.name, 'raw_search', 'raw_number'), day.bound);
        end loop;
      end $$`)
    this.addSql(`
      insert into events.event_number (key, value, first_seen_at, event_id)
      select number.key, number.value, event.first_seen_at, event.id
      from events.event cross join lateral ${numbersOf('event')}
      on conflict do nothing`)
    this.addSql(`
      insert into events.raw_number (key, value, received_at, xact, id)
      select number.key, number.value, raw.received_at, raw.xact, raw.id
      from events.raw_event as raw cross join lateral ${numbersOf('raw')}
      where (raw.xact, raw.id) <= (select xact, id from events.search_position)
      on conflict do nothing`)
    // At last, as it keeps readers out.
    this.addSql('alter table events.event_search add column first_seen_at timestamptz')
    this.addSql(`
      update events.event_search set first_seen_at = event.first_seen_at
      from events.event where event.id = event_search.event_id`)
    this.addSql('alter table events.event_search alter column first_seen_at set not null')
  }
}

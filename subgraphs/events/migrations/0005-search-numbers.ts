import { Migration } from '@mikro-orm/migrations'

/** Ranges of properties can be looked up, each number by its property's name: everything is indexed anew, behind the stream. */
export class SearchNumbers extends Migration {
  override up(): void {
    this.addSql(`
      create table events.event_number (
        key text not null,
        value numeric not null,
        first_seen_at timestamptz not null,
        event_id uuid not null,
        primary key (key, value, first_seen_at, event_id)
      )`)
    this.addSql('create index event_number_event_id_index on events.event_number (event_id)')
    this.addSql(`
      create table events.raw_number (
        key text not null,
        value numeric not null,
        received_at timestamptz not null,
        xact xid8 not null,
        id bigint not null,
        primary key (key, value, received_at, xact, id)
      ) partition by range (received_at)`)
    this.addSql('create type events.raw_key as (received_at timestamptz, xact xid8, id bigint)')
    this.addSql('truncate events.event_search, events.raw_search')
    this.addSql('alter table events.event_search add column first_seen_at timestamptz not null')
    this.addSql(`update events.search_position set xact = '0', id = 0`)
  }
}

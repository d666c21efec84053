import { Migration } from '@mikro-orm/migrations'

/**
 * An event keeps the contents that it had shortly before in the table that it is found by: most hot events come with the
 * same few in turn, and each change was written to two GIN indexes. Numbers of a content that is dropped are found by its
 * properties, so they need no index on the event.
 */
export class EventContents extends Migration {
  override up(): void {
    this.addSql('select pg_advisory_xact_lock(727403)') // no other process indexes meanwhile
    this.addSql(
      `update events.event_search set hash = '00000000-0000-0000-0000-000000000000' where hash is null`,
    )
    this.addSql(`
      alter table events.event_search add column indexed_at timestamptz not null default '-infinity',
        alter column hash set not null, drop constraint event_search_pkey, add primary key (event_id, hash)`)
    this.addSql('alter table events.event_search alter column indexed_at drop default')
    this.addSql('drop index events.event_number_event_id_index')
  }
}

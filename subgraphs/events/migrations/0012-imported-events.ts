import { Migration } from '@mikro-orm/migrations'

/** Events of another product keep their ids, and what they brought along is known when they come again. */
export class ImportedEvents extends Migration {
  override up(): void {
    this.addSql(`
      create table events.imported_event (
        id text primary key,
        event_id uuid not null,
        times_seen bigint not null
      )`)
    this.addSql('create index imported_event_event_id_index on events.imported_event (event_id)')
  }
}

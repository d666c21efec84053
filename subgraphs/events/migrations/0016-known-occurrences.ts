import { Migration } from '@mikro-orm/migrations'

/** Occurrences that count once, however often they are sent. */
export class KnownOccurrences extends Migration {
  override up(): void {
    this.addSql(
      'create table events.known_occurrence (key text primary key, sent_at timestamptz(3) not null)',
    )
    this.addSql('create index known_occurrence_sent_at_index on events.known_occurrence (sent_at)')
  }
}

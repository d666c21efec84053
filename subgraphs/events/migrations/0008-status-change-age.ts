import { Migration } from '@mikro-orm/migrations'

/** Old changes of status are deleted. They are stored in the order of their age, so a small index finds them. */
export class StatusChangeAge extends Migration {
  override up(): void {
    this.addSql(
      'create index status_change_at_index on events.status_change using brin (at) with (pages_per_range = 16)',
    )
  }
}

import { Migration } from '@mikro-orm/migrations'

/** Looks up events by those to whom they are assigned; most events have none. */
export class AssigneeIndex extends Migration {
  override up(): void {
    for (const column of ['assignee', 'ticket'])
      this.addSql(
        `create index event_${column}_index on events.event (${column}) where ${column} is not null`,
      )
  }
}

import { Migration } from '@mikro-orm/migrations'

/** The execution whose end is a change: triggers start no execution for one that they led to. */
export class CausedChanges extends Migration {
  override up(): void {
    this.addSql('alter table events.state_change add column execution_id text null')
  }
}

import { Migration } from '@mikro-orm/migrations'

/** People to whom events are assigned, and tickets about events. */
export class Assignments extends Migration {
  override up(): void {
    this.addSql('alter table events.event add column assignee text, add column ticket text')
  }
}

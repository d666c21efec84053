import { Migration } from '@mikro-orm/migrations'

/** Comments of people on a change of status. */
export class StatusComments extends Migration {
  override up(): void {
    this.addSql('alter table events.status_change add column comment text')
  }
}

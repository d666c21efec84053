import { Migration } from '@mikro-orm/migrations'

/** Why the last run of a schedule was left out. */
export class Migration026SkippedRuns extends Migration {
  override up(): void {
    this.addSql(
      `alter table "test_execution"."schedule_state" add column if not exists "skipped" text null`,
    )
  }
}

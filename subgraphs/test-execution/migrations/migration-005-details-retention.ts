import { Migration } from '@mikro-orm/migrations'

/** Marks of executions that have lost their details. */
export class Migration005DetailsRetention extends Migration {
  override up(): void {
    this.addSql(
      `alter table "test_execution"."execution" add column "details_pruned" boolean not null default false`,
    )
    this.addSql(
      `create index "execution_prunable_index" on "test_execution"."execution" ("ended") where not details_pruned`,
    )
  }
}

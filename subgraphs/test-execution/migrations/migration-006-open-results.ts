import { Migration } from '@mikro-orm/migrations'

/** Marks of results that were begun without a sign-in. */
export class Migration006OpenResults extends Migration {
  override up(): void {
    this.addSql(
      `alter table "test_execution"."execution" add column "open" boolean not null default false`,
    )
    this.addSql(`alter table "test_execution"."execution" alter column "open" drop default`)
  }
}

import { Migration } from '@mikro-orm/migrations'

/** The executions that requests with an idempotency key have started. */
export class Migration012ExecutionKeys extends Migration {
  override up(): void {
    this.addSql(`create table "test_execution"."execution_key" (
      "account" text not null, "key" text not null, "digest" text not null,
      "execution_id" uuid not null, "taken_at" timestamptz(3) not null,
      primary key ("account", "key"))`)
    this.addSql(
      `create index "execution_key_taken_at_index" on "test_execution"."execution_key" ("taken_at")`,
    )
  }
}

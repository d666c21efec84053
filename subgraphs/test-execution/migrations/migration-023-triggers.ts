import { Migration } from '@mikro-orm/migrations'

/** Progress of triggers, and what they have started. */
export class Migration023Triggers extends Migration {
  override up(): void {
    this.addSql(`create table "test_execution"."trigger_state" (
      "trigger_id" varchar(255) not null primary key,
      "owner" jsonb not null,
      "last_run_at" timestamptz(3) null,
      "last_result_id" uuid null,
      "failure" text null)`)
    this.addSql(`create table "test_execution"."trigger_start" (
      "trigger_id" varchar(255) not null,
      "key" text not null,
      "at" timestamptz(3) not null,
      "result_id" uuid null,
      "chain" jsonb not null,
      primary key ("trigger_id", "key"))`)
    this.addSql(
      `create index "trigger_start_at_index" on "test_execution"."trigger_start" ("trigger_id", "at")`,
    )
    this.addSql(
      `create index "trigger_start_result_id_index" on "test_execution"."trigger_start" ("result_id")`,
    )
  }
}

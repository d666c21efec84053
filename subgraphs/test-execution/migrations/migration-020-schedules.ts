import { Migration } from '@mikro-orm/migrations'

/** Progress of schedules. */
export class Migration020Schedules extends Migration {
  override up(): void {
    this.addSql(`create table "test_execution"."schedule_state" (
      "schedule_id" varchar(255) not null primary key,
      "next_at" timestamptz(3) null,
      "owner" jsonb not null,
      "noticed_at" timestamptz(3) null,
      "missed" boolean not null default false,
      "claimed_until" timestamptz(3) null,
      "last_run_at" timestamptz(3) null,
      "last_result_id" uuid null,
      "failure" text null)`)
    this.addSql(
      `create index "schedule_state_next_at_index" on "test_execution"."schedule_state" ("next_at") where next_at is not null`,
    )
    this.addSql(`create table "test_execution"."schedule_hold" (
      "reason" text not null primary key, "since" timestamptz(3) not null)`)
  }
}

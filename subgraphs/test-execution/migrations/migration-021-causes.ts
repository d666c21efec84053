import { Migration } from '@mikro-orm/migrations'

const TABLE = '"test_execution"."execution"'

/** The cause of each failure, and what people say of causes. */
export class Migration021Causes extends Migration {
  override up(): void {
    this.addSql(`alter table ${TABLE}
      add column "cause_id" varchar(255) null, add column "cause" jsonb null`)
    this.addSql(
      `create index "execution_cause_index" on ${TABLE} ("cause_id", "id") where cause_id is not null`,
    )
    this.addSql(`create table "test_execution"."failure_verdict" (
      "id" varchar(255) not null, "verdict" varchar(255) null, "owner" text null, "comment" text null,
      "ticket" text null, "set_by" text not null, "set_at" timestamptz(3) not null,
      constraint "failure_verdict_pkey" primary key ("id"))`)
  }
}

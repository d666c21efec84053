import { Migration } from '@mikro-orm/migrations'

/** Deliveries of callbacks and their states. */
export class Migration002Callbacks extends Migration {
  override up(): void {
    this.addSql(`alter table "test_execution"."execution" add column "callback_url" text null`)
    this.addSql(`create table "test_execution"."callback_delivery" (
      "execution_id" uuid not null,
      "id" uuid not null,
      "url" text not null,
      "state" varchar(255) not null,
      "attempts" jsonb not null,
      "attempt_count" int not null,
      "earlier_attempts" int not null,
      "created" timestamptz(3) not null,
      "next_attempt_at" timestamptz(3) null,
      primary key ("execution_id", "id"))`)
    this.addSql(
      `create index "callback_delivery_id_index" on "test_execution"."callback_delivery" ("id")`,
    )
    this.addSql(
      `create index "callback_delivery_state_id_index" on "test_execution"."callback_delivery" ("state", "id")`,
    )
  }
}

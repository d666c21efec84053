import { Migration } from '@mikro-orm/migrations'

/** The workers that live, and their slots. */
export class Migration016Workers extends Migration {
  override up(): void {
    this.addSql(`create table "test_execution"."worker" (
      "id" uuid not null primary key,
      "name" text not null,
      "version" text not null,
      "slots" integer not null,
      "used" integer not null,
      "sandbox" jsonb not null,
      "started" timestamptz(3) not null,
      "last_seen" timestamptz(3) not null)`)
  }
}

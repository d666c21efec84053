import { Migration } from '@mikro-orm/migrations'

/** Entries of users and their changes. Every subgraph writes here, so each of them makes the table unless another was faster. */
export class Audit001Entries extends Migration {
  override up(): void {
    this.addSql(`create schema if not exists "audit"`)
    this.addSql(`create table if not exists "audit"."entry" (
      "id" uuid not null primary key,
      "at" timestamptz(3) not null,
      "user" text null,
      "action" text not null,
      "target" text null,
      "request_id" text not null)`)
    this.addSql(
      `create index if not exists "entry_user_id_index" on "audit"."entry" ("user", "id")`,
    )
    this.addSql(
      `create index if not exists "entry_target_id_index" on "audit"."entry" ("target", "id")`,
    )
  }
}

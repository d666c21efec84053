import { Migration } from '@mikro-orm/migrations'

/** Accounts, their tokens and their sessions. */
export class Migration001Accounts extends Migration {
  override up(): void {
    this.addSql(`create table "accounts"."account" (
      "id" uuid not null primary key,
      "email" text not null,
      "role" varchar(255) not null,
      "active" boolean not null,
      "password_hash" text not null,
      "created" timestamptz(3) not null)`)
    this.addSql(
      `alter table "accounts"."account" add constraint "account_email_unique" unique ("email")`,
    )
    this.addSql(`create table "accounts"."api_token" (
      "id" uuid not null primary key,
      "account_id" uuid not null,
      "name" text not null,
      "scopes" jsonb not null,
      "secret_hash" varchar(255) not null,
      "created" timestamptz(3) not null,
      "expires" timestamptz(3) null,
      "last_used" timestamptz(3) null)`)
    this.addSql(
      `alter table "accounts"."api_token" add constraint "api_token_secret_hash_unique" unique ("secret_hash")`,
    )
    this.addSql(
      `create index "api_token_account_id_index" on "accounts"."api_token" ("account_id")`,
    )
    this.addSql(`create table "accounts"."session" (
      "id" uuid not null primary key,
      "account_id" uuid not null,
      "secret_hash" varchar(255) not null,
      "expires" timestamptz(3) not null)`)
    this.addSql(
      `alter table "accounts"."session" add constraint "session_secret_hash_unique" unique ("secret_hash")`,
    )
    this.addSql(`create index "session_account_id_index" on "accounts"."session" ("account_id")`)
  }
}

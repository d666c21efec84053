import { Migration } from '@mikro-orm/migrations'

/** Sessions of browsers, which a cookie stands for. */
export class Migration002BrowserSessions extends Migration {
  override up(): void {
    this.addSql(`create table "accounts"."browser_session" (
      "id" uuid not null primary key,
      "account_id" uuid null,
      "user_name" text not null,
      "permissions" jsonb null,
      "secret_hash" varchar(255) not null,
      "created" timestamptz(3) not null,
      "last_used" timestamptz(3) not null,
      "expires" timestamptz(3) not null,
      "ends" timestamptz(3) not null,
      "address" text not null,
      "browser" text not null)`)
    this.addSql(
      `alter table "accounts"."browser_session" add constraint "browser_session_secret_hash_unique" unique ("secret_hash")`,
    )
    this.addSql(
      `create index "browser_session_user_name_index" on "accounts"."browser_session" ("user_name")`,
    )
    this.addSql(
      `create index "browser_session_expires_index" on "accounts"."browser_session" ("expires")`,
    )
  }
}

import { Migration } from '@mikro-orm/migrations'

/** Saved views of pages. */
export class Migration006SavedViews extends Migration {
  override up(): void {
    this.addSql(`create table "accounts"."saved_view" (
      "id" uuid not null primary key,
      "owner" text not null,
      "name" text not null,
      "address" text not null,
      "is_shared" boolean not null,
      "is_start_page" boolean not null,
      "created" timestamptz(3) not null)`)
    this.addSql(
      `alter table "accounts"."saved_view" add constraint "saved_view_name_unique" unique ("owner", "name")`,
    )
    this.addSql(
      `create unique index "saved_view_start_page_unique" on "accounts"."saved_view" ("owner") where "is_start_page"`,
    )
  }
}

import { Migration } from '@mikro-orm/migrations'

/** Callback URLs may carry credentials, so they lie sealed beside the origin of the receiver; and who asked for an execution. */
export class Migration008SealedCallbacks extends Migration {
  override up(): void {
    const originOf = (column: string) =>
      `regexp_replace(${column}, '^(https?://)([^/#@]*@)?([^/#]*).*$', '\\1\\3')`
    this.addSql(
      `alter table "test_execution"."callback_delivery" rename column "url" to "sealed_url"`,
    )
    this.addSql(
      `alter table "test_execution"."callback_delivery" add column "receiver" text not null default ''`,
    )
    this.addSql(
      `update "test_execution"."callback_delivery" set "receiver" = ${originOf('"sealed_url"')}`,
    )
    this.addSql(
      `alter table "test_execution"."callback_delivery" alter column "receiver" drop default`,
    )
    this.addSql(`alter table "test_execution"."execution"
      add column "callback" jsonb null,
      add column "request_id" text not null default ''`)
    this.addSql(`update "test_execution"."execution"
      set "callback" = jsonb_build_object('receiver', ${originOf('"callback_url"')}, 'sealedUrl', "callback_url")
      where "callback_url" is not null`)
    this.addSql(`alter table "test_execution"."execution"
      drop column "callback_url",
      alter column "request_id" drop default`)
  }
}

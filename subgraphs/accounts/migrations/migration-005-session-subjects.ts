import { Migration } from '@mikro-orm/migrations'

/**
 * Users of an issuer are its subjects, not names. A session that is there already gets its subject when it is renewed;
 * one that nothing renews counts for a day more.
 */
export class Migration005SessionSubjects extends Migration {
  override up(): void {
    this.addSql(`alter table "accounts"."browser_session" add column "subject" text null`)
    this.addSql(
      `create index "browser_session_subject_index" on "accounts"."browser_session" ("subject")`,
    )
    this.addSql(`update "accounts"."browser_session"
      set "ends" = least("ends", now() + interval '1 day'), "expires" = least("expires", now() + interval '1 day')
      where "account_id" is null and "renew_from" is null`)
  }
}

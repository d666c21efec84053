import { Migration } from '@mikro-orm/migrations'

/** Sessions that the issuer renews. */
export class Migration003SessionGrants extends Migration {
  override up(): void {
    this.addSql(`alter table "accounts"."browser_session"
      add column "refresh_token" text null,
      add column "renew_from" timestamptz(3) null,
      add column "granted_until" timestamptz(3) null,
      add column "claimed_until" timestamptz(3) null`)
  }
}

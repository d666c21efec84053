import { Migration } from '@mikro-orm/migrations'

/** Claims of a session's ID token, for renewals that bring no other. */
export class Migration004SessionClaims extends Migration {
  override up(): void {
    this.addSql(`alter table "accounts"."browser_session" add column "claims" text null`)
  }
}

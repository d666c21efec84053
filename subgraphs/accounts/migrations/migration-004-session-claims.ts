import { Migration } from '@mikro-orm/migrations'

/** What the ID token of a session said, for renewals that bring no other. */
export class Migration004SessionClaims extends Migration {
  override up(): void {
    this.addSql(`alter table "accounts"."browser_session" add column "claims" text null`)
  }
}

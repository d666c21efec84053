import { Migration } from '@mikro-orm/migrations'

/** Issuer and subject, which distinguish users of one name. Every subgraph runs it, as it does those before. */
export class Audit003Subjects extends Migration {
  override up(): void {
    this.addSql(`alter table "audit"."entry" add column if not exists "subject" text null`)
  }
}

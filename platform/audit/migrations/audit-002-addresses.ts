import { Migration } from '@mikro-orm/migrations'

/** Addresses that requests came from. Every subgraph runs it, as it does the one before. */
export class Audit002Addresses extends Migration {
  override up(): void {
    this.addSql(`alter table "audit"."entry" add column if not exists "address" text null`)
  }
}

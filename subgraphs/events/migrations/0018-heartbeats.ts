import { Migration } from '@mikro-orm/migrations'

/** Heartbeats that are watched, and when they were last looked at. */
export class Heartbeats extends Migration {
  override up(): void {
    this.addSql(`
      create table events.heartbeat (
        name text primary key, every text not null, allowed_ms bigint not null, seen_at timestamptz(3) not null,
        due_at timestamptz(3) null, since timestamptz(3) not null, is_missing boolean not null, is_paused boolean not null)`)
    this.addSql('create index heartbeat_due_at_index on events.heartbeat (due_at)')
    this.addSql(`
      create table events.heartbeat_watch (
        is_only boolean primary key, looked_at timestamptz(3) not null)`)
  }
}

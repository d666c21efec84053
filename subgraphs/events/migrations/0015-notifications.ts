import { Migration } from '@mikro-orm/migrations'

/** Changes that rules judge, groups that they form, and notifications that follow. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(`
      create table events.forwarded_artifact (
        kind text not null, id text not null, at bigint not null, fields jsonb not null, sealed jsonb not null,
        is_deleted boolean not null, is_active boolean not null, primary key (kind, id))`)
    this.addSql(`
      create table events.state_change (
        id bigserial primary key, event_id uuid not null, at timestamptz(6) not null,
        kind text not null, status text not null, severity text not null)`)
    this.addSql(`
      create table events.notification_group (
        id uuid primary key, rule_id text not null, channel_id text not null, key text not null,
        waiting_since timestamptz(3) null, sent_at timestamptz(3) null,
        repeat_from timestamptz(3) null, due_at timestamptz(3) null,
        constraint notification_group_key_unique unique (rule_id, channel_id, key))`)
    this.addSql(
      'create index notification_group_due_at_index on events.notification_group (due_at)',
    )
    this.addSql(`
      create table events.notification_member (
        group_id uuid not null, event_id uuid not null, member jsonb not null,
        primary key (group_id, event_id))`)
    this.addSql(
      'create index notification_member_event_id_index on events.notification_member (event_id)',
    )
    this.addSql(`
      create table events.notification (
        id uuid primary key, message_id uuid not null, group_id uuid not null, rule_id text not null,
        channel_id text not null, body jsonb not null, recipients jsonb not null, state text not null, attempts jsonb not null,
        attempt_count int not null, earlier_attempts int not null, created timestamptz(3) not null,
        next_attempt_at timestamptz(3) null)`)
    this.addSql('create index notification_state_id_index on events.notification (state, id)')
    this.addSql(
      'create index notification_channel_id_index on events.notification (channel_id, id)',
    )
    this.addSql('create index notification_group_id_index on events.notification (group_id)')
  }
}

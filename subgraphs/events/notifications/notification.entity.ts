import { defineEntity, p } from '@mikro-orm/postgresql'
import type { DeliveryAttempt, DeliveryStateName } from '../../../platform/deliveries/delivery.ts'
import type { Member } from './group.ts'
import type { Recipients } from './mail.ts'
import type { NotificationBody } from './notification.ts'

/** Channels, rules and silences as test execution has stored them, deleted ones included. */
export const ForwardedArtifactEntity = defineEntity({
  name: 'ForwardedArtifactEntity',
  tableName: 'forwarded_artifact',
  properties: {
    kind: p.text().primary(),
    id: p.text().primary(),
    /** Microseconds: a later change of it has a greater one. */
    at: p.bigint('string'),
    fields: p.json<Record<string, unknown>>(),
    sealed: p.json<Record<string, string>>(),
    isDeleted: p.boolean(),
    /** True for a silence that held when it was last looked at. */
    isActive: p.boolean(),
  },
})

/** Changes of state that rules have not judged yet. */
export const StateChangeEntity = defineEntity({
  name: 'StateChangeEntity',
  tableName: 'state_change',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    eventId: p.uuid(),
    at: p.datetime(6),
    kind: p.text(),
    status: p.text(),
    severity: p.text(),
    /** The execution whose end it is. */
    executionId: p.text().nullable(),
  },
})

/** Events of a rule and a channel that share notifications. */
export const NotificationGroupEntity = defineEntity({
  name: 'NotificationGroupEntity',
  tableName: 'notification_group',
  properties: {
    id: p.uuid().primary(),
    ruleId: p.text(),
    channelId: p.text(),
    /** JSON of the values of `groupBy`. */
    key: p.text(),
    waitingSince: p.datetime(3).nullable(),
    sentAt: p.datetime(3).nullable(),
    repeatFrom: p.datetime(3).nullable(),
    dueAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'notification_group_key_unique', properties: ['ruleId', 'channelId', 'key'] }],
  indexes: [{ name: 'notification_group_due_at_index', properties: ['dueAt'] }],
})

/** Knowledge of one event of a group. */
export const NotificationMemberEntity = defineEntity({
  name: 'NotificationMemberEntity',
  tableName: 'notification_member',
  properties: {
    groupId: p.uuid().primary(),
    eventId: p.uuid().primary(),
    member: p.json<Member>(),
  },
  indexes: [{ name: 'notification_member_event_id_index', properties: ['eventId'] }],
})

/** Notifications and what became of their delivery. */
export const NotificationEntity = defineEntity({
  name: 'NotificationEntity',
  tableName: 'notification',
  properties: {
    /** A UUIDv7, so they sort by the time of their creation. */
    id: p.uuid().primary(),
    /** The receiver sees it, the same for the same content. */
    messageId: p.uuid(),
    groupId: p.uuid(),
    ruleId: p.text(),
    channelId: p.text(),
    body: p.json<NotificationBody>(),
    /** Recipients of an e-mail that need no further one. */
    recipients: p.json<Recipients>(),
    state: p.text().$type<DeliveryStateName>(),
    attempts: p.json<DeliveryAttempt[]>(),
    attemptCount: p.integer(),
    earlierAttempts: p.integer(),
    created: p.datetime(3),
    nextAttemptAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'notification_state_id_index', properties: ['state', 'id'] },
    { name: 'notification_channel_id_index', properties: ['channelId', 'id'] },
    { name: 'notification_group_id_index', properties: ['groupId'] },
  ],
})

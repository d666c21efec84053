import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** Signs of life that a sender promised to send again. */
export const HeartbeatEntity = defineEntity({
  name: 'HeartbeatEntity',
  tableName: 'heartbeat',
  properties: {
    name: p.text().primary(),
    /** As the sender wrote it, such as `5m`. */
    every: p.text(),
    /** The same with its grace. */
    allowedMs: p.bigint('number'),
    seenAt: p.datetime(3),
    /** Null while it is missing or paused. */
    dueAt: p.datetime(3).nullable(),
    /** Time of its latest event. */
    since: p.datetime(3),
    isMissing: p.boolean(),
    isPaused: p.boolean(),
  },
  indexes: [{ name: 'heartbeat_due_at_index', properties: ['dueAt'] }],
})

/** One row: when any process last looked for missing ones. */
export const HeartbeatWatchEntity = defineEntity({
  name: 'HeartbeatWatchEntity',
  tableName: 'heartbeat_watch',
  properties: {
    isOnly: p.boolean().primary(),
    lookedAt: p.datetime(3),
  },
})

export type StoredHeartbeat = InferEntity<typeof HeartbeatEntity>

import type { Variables } from './variables.ts'

/** Settings of the events subgraph, alone or inside of `npm start`. */
export const EVENTS_VARIABLES = [
  'EVENTS_STRICT',
  'RAW_EVENTS_RETENTION_DAYS',
  'EVENTS_RETENTION_DAYS',
  'EVENTS_RESOLVE_AFTER',
  'STATUS_CHANGES_RETENTION_DAYS',
  'EVENTS_QUEUE_EVENTS',
  'EVENTS_QUEUE_BYTES',
  'EVENTS_SEARCH_LAG',
  'EVENTS_QUERY_TIMEOUT_MS',
  'PAGE_BYTES',
  'IMPORT_EVENTS',
  'NOTIFICATIONS',
  'NOTIFICATION_GROUPS',
  'NOTIFICATIONS_PER_MINUTE',
  'NOTIFICATIONS_RETENTION_DAYS',
  'HEARTBEATS',
  'PUBLIC_URL',
] as const

export type EventsSettings = ReturnType<typeof eventsSettings>

export const eventsSettings = (values: Pick<Variables, (typeof EVENTS_VARIABLES)[number]>) => ({
  /** Items must also have `source` and `fingerprintFields`. */
  strict: values.EVENTS_STRICT,
  /** Days after which raw events and their counts are dropped. */
  retentionDays: values.RAW_EVENTS_RETENTION_DAYS,
  /** Days without a change after which an event is deleted. */
  eventRetentionDays: values.EVENTS_RETENTION_DAYS,
  /** Time without a change after which an open event is closed; undefined: never. */
  resolveAfter: values.EVENTS_RESOLVE_AFTER,
  /** Days after which changes of an event's status are deleted. */
  statusRetentionDays: values.STATUS_CHANGES_RETENTION_DAYS,
  /** Events, and bytes of them, that may wait for a writer. */
  queueEvents: values.EVENTS_QUEUE_EVENTS,
  queueBytes: values.EVENTS_QUEUE_BYTES,
  /** Stored events that search has not indexed, at most. */
  searchLag: values.EVENTS_SEARCH_LAG,
  /** Milliseconds that one statement of a list or a histogram may take. */
  queryTimeoutMs: values.EVENTS_QUERY_TIMEOUT_MS,
  /** Bytes of events after which a page of a list ends. */
  pageBytes: values.PAGE_BYTES,
  /** Events of one import. */
  importEvents: values.IMPORT_EVENTS,
  /** Undefined: on, but for a restored backup. */
  notifications: values.NOTIFICATIONS,
  /** Groups of a rule. */
  notificationGroups: values.NOTIFICATION_GROUPS,
  /** Notifications of a channel. */
  notificationsPerMinute: values.NOTIFICATIONS_PER_MINUTE,
  /** Days after which notifications are deleted. */
  notificationRetentionDays: values.NOTIFICATIONS_RETENTION_DAYS,
  heartbeats: values.HEARTBEATS,
  /** Origin that people know; undefined: notifications hold no links. */
  publicUrl: values.PUBLIC_URL,
})

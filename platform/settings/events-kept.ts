import type { Settings } from './setting.ts'

/** Times for which events stay open, and stay at all. */
export const EVENTS_KEPT = {
  RAW_EVENTS_RETENTION_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 30 },
    meaning: 'Days until raw events are dropped. Events and their counts stay.',
  },
  EVENTS_RETENTION_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 365 },
    meaning:
      'Days without an occurrence or a change until an event is deleted, with its count and history, but not before raw events and changes of status of the same age.',
  },
  EVENTS_RESOLVE_AFTER: {
    schema: { type: 'string', format: 'event-age' },
    absent: 'never',
    meaning:
      'Time such as `12h` without an occurrence or a change after which an event that is OPEN or ACKNOWLEDGED is CLOSED, which its history says. Events of missing heartbeats stay open.',
  },
  STATUS_CHANGES_RETENTION_DAYS: {
    schema: { type: 'integer', minimum: 1, maximum: 36_500, default: 365 },
    meaning:
      'Days until changes of an event’s status, and which earlier executions caused it, are deleted, but not before raw events of the same age.',
  },
} as const satisfies Settings

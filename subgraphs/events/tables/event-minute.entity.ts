import { defineEntity, p } from '@mikro-orm/postgresql'

/** Numbers of occurrences of an event by minute of receipt, in partitions of one day. */
export const EventMinuteEntity = defineEntity({
  name: 'EventMinuteEntity',
  tableName: 'event_minute',
  properties: {
    eventId: p.uuid().primary(),
    minute: p.datetime(6).primary(),
    occurrences: p.integer(),
  },
  primaryKeys: ['eventId', 'minute'],
  indexes: [
    {
      name: 'event_minute_minute_index',
      expression:
        'create index event_minute_minute_index on events.event_minute using brin (minute) with (pages_per_range = 16)',
    },
  ],
})

import { defineEntity, p } from '@mikro-orm/postgresql'

/** The former id of an event that was imported, and how often it had been seen at that time. */
export const ImportedEventEntity = defineEntity({
  name: 'ImportedEventEntity',
  tableName: 'imported_event',
  properties: {
    id: p.text().primary(),
    eventId: p.uuid(),
    timesSeen: p.bigint('number'),
  },
  indexes: [{ name: 'imported_event_event_id_index', properties: ['eventId'] }],
})

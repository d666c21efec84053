import { defineEntity, p } from '@mikro-orm/postgresql'

/** An occurrence that its sender may send again: receivers of other tools know it by status and start, or by its id. */
export const KnownOccurrenceEntity = defineEntity({
  name: 'KnownOccurrenceEntity',
  tableName: 'known_occurrence',
  properties: {
    /** Digest of the event and the key. */
    key: p.text().primary(),
    sentAt: p.datetime(3),
  },
  indexes: [{ name: 'known_occurrence_sent_at_index', properties: ['sentAt'] }],
})

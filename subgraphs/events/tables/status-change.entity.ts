import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Row } from '../../../platform/database/row.ts'

/** One change of an event's status, by an occurrence or by a person. */
export const StatusChangeEntity = defineEntity({
  name: 'StatusChangeEntity',
  tableName: 'status_change',
  properties: {
    eventId: p.uuid().primary(),
    id: p.bigint('string').primary().autoincrement(),
    at: p.datetime(6),
    /** Null where an occurrence changed it. */
    changedBy: p.text().nullable(),
    fromStatus: p.text(),
    toStatus: p.text(),
    fromSeverity: p.text(),
    toSeverity: p.text(),
    /** Comment of the person. */
    comment: p.text().nullable(),
    /** Among those of raw events, where a person changed it; null where an occurrence did. See platform/position. */
    position: p.bigint('string').nullable(),
  },
  primaryKeys: ['eventId', 'id'],
  indexes: [
    {
      name: 'status_change_at_index',
      expression:
        'create index status_change_at_index on events.status_change using brin (at) with (pages_per_range = 16)',
    },
    {
      name: 'status_change_position_index',
      expression:
        'create index status_change_position_index on events.status_change (position) where position is not null',
    },
  ],
})

export type StoredStatusChange = Row<InferEntity<typeof StatusChangeEntity>>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Row } from '../../../platform/database/row.ts'
import { holdPosition } from '../../../platform/position/position-sql.ts'
import type { SourceFields } from '../ingestion/occurrence.ts'

/** Every occurrence as it was received, in partitions of one day. */
export const RawEventEntity = defineEntity({
  name: 'RawEventEntity',
  tableName: 'raw_event',
  properties: {
    eventId: p.uuid().primary(),
    receivedAt: p.datetime(6).primary(),
    /** Its position: streams, lists and the index follow this order. See platform/position. */
    id: p.bigint('string').primary().autoincrement(),
    isNew: p.boolean(),
    title: p.text(),
    message: p.text().nullable(),
    severity: p.text(),
    status: p.text(),
    sourceRef: p.text().nullable(),
    sourceType: p.text().nullable(),
    sourceName: p.text().nullable(),
    sourceProperties: p.json<Record<string, unknown>>().nullable(),
    sender: p.json<SourceFields>().nullable(),
    properties: p.json<Record<string, unknown>>(),
    tags: p.json<string[]>(),
    eventClass: p.text().nullable(),
    occurredAt: p.datetime(6),
    executionId: p.text().nullable(),
  },
  primaryKeys: ['eventId', 'receivedAt', 'id'],
  indexes: [{ name: 'raw_event_id_index', properties: ['id'] }],
  triggers: [holdPosition('events', 'raw_event')],
})

export type StoredRawEvent = Row<InferEntity<typeof RawEventEntity>>

import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Scalar, SourceFields } from '../ingestion/occurrence.ts'
import type { Row } from './row.ts'

/** One row per fingerprint, for ever; its occurrences are counted into it. */
export const EventEntity = defineEntity({
  name: 'EventEntity',
  tableName: 'event',
  properties: {
    id: p.uuid().primary(),
    fingerprint: p.text(),
    fingerprintFields: p.json<string[]>(),
    fingerprintValues: p.json<[name: string, value: Scalar][]>(),
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
    firstSeenAt: p.datetime(6),
    lastSeenAt: p.datetime(6),
    lastUpdatedAt: p.datetime(6),
    timesSeen: p.bigint('number'),
    /** The execution that caused it last. No client can set it. */
    executionId: p.text().nullable(),
  },
  // The newest first, also among those of one severity and so on; words of any length fit by their beginning.
  indexes: [
    {
      name: 'event_first_seen_at_index',
      expression:
        'create index event_first_seen_at_index on events.event (first_seen_at desc, id desc)',
    },
    ...['severity', 'status', 'source_ref'].map((column) => ({
      name: `event_${column}_index`,
      expression: `create index event_${column}_index on events.event (left(${column}, 64), first_seen_at desc, id desc)`,
    })),
    {
      name: 'event_tags_index',
      expression: 'create index event_tags_index on events.event using gin (tags jsonb_path_ops)',
    },
  ],
})

export type StoredEvent = Row<InferEntity<typeof EventEntity>>

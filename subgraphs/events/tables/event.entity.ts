import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { Row } from '../../../platform/database/row.ts'
import type { Scalar, SourceFields } from '../ingestion/occurrence.ts'

/** One row per fingerprint; its occurrences are counted into it. */
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
    /** Set by people alone, as the ticket is. */
    assignee: p.text().nullable(),
    ticket: p.text().nullable(),
  },
  // Nothing else that ingestion sets is indexed here: it would pay for it. See the search tables.
  indexes: [
    {
      name: 'event_first_seen_at_index',
      expression:
        'create index event_first_seen_at_index on events.event (first_seen_at desc, id desc)',
    },
    ...(['assignee', 'ticket'] as const).map((column) => ({
      name: `event_${column}_index`,
      expression: `create index event_${column}_index on events.event (${column}) where ${column} is not null`,
    })),
  ],
})

export type StoredEvent = Row<InferEntity<typeof EventEntity>>

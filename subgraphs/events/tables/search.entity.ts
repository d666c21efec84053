import { defineEntity, p } from '@mikro-orm/postgresql'

/** What events can be found by, as they were when they were indexed. */
export const EventSearchEntity = defineEntity({
  name: 'EventSearchEntity',
  tableName: 'event_search',
  properties: {
    eventId: p.uuid().primary(),
    firstSeenAt: p.datetime(6),
    lastSeenAt: p.datetime(6),
    timesSeen: p.bigint('number'),
    /** The fields that queries compare as a whole. */
    content: p.json<object>(),
    /** The fields that queries look for words in, and those that may be compared with wildcards. */
    words: p.text(),
  },
  indexes: [
    { name: 'event_search_last_seen_at_index', properties: ['lastSeenAt'] },
    { name: 'event_search_times_seen_index', properties: ['timesSeen'] },
    ...contentIndexes('event_search'),
  ],
})

/** What raw events can be found by, in partitions of one day. */
export const RawSearchEntity = defineEntity({
  name: 'RawSearchEntity',
  tableName: 'raw_search',
  properties: {
    receivedAt: p.datetime(6).primary(),
    id: p.bigint('string').primary(),
    occurredAt: p.datetime(6),
    content: p.json<object>(),
    words: p.text(),
  },
  primaryKeys: ['receivedAt', 'id'],
  indexes: [
    {
      name: 'raw_search_occurred_at_index',
      expression:
        'create index raw_search_occurred_at_index on events.raw_search using brin (occurred_at) with (pages_per_range = 16)',
    },
    ...contentIndexes('raw_search'),
  ],
})

/** Characters of a property's name that the tables of numbers hold: an index has no room for more. */
export const NUMBER_KEY_LENGTH = 200

/** The numbers among the properties of events, as they were when they were indexed. */
export const EventNumberEntity = defineEntity({
  name: 'EventNumberEntity',
  tableName: 'event_number',
  properties: {
    /** What begins the property's name. */
    key: p.text().primary(),
    value: p.decimal('string').columnType('numeric').primary(),
    firstSeenAt: p.datetime(6).primary(),
    eventId: p.uuid().primary(),
  },
  primaryKeys: ['key', 'value', 'firstSeenAt', 'eventId'],
  indexes: [{ name: 'event_number_event_id_index', properties: ['eventId'] }],
})

/** The numbers among the properties of raw events, in partitions of one day. */
export const RawNumberEntity = defineEntity({
  name: 'RawNumberEntity',
  tableName: 'raw_number',
  properties: {
    key: p.text().primary(),
    value: p.decimal('string').columnType('numeric').primary(),
    receivedAt: p.datetime(6).primary(),
    id: p.bigint('string').primary(),
  },
  primaryKeys: ['key', 'value', 'receivedAt', 'id'],
})

/** The raw event up to which everything is indexed. One row. */
export const SearchPositionEntity = defineEntity({
  name: 'SearchPositionEntity',
  tableName: 'search_position',
  properties: {
    isOnly: p.boolean().primary(),
    id: p.bigint('string'),
  },
})

function contentIndexes(table: string) {
  const indexes = {
    content: 'gin (content jsonb_path_ops)',
    words: 'gin (words gin_trgm_ops)',
    ref: "btree (left(content ->> 'ref', 200) text_pattern_ops)",
  }
  return Object.entries(indexes).map(([name, definition]) => ({
    name: `${table}_${name}_index`,
    expression: `create index ${table}_${name}_index on events.${table} using ${definition}`,
  }))
}

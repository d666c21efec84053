import { defineEntity, p } from '@mikro-orm/postgresql'

/** Contents by which events are found: what each has now, and what it had shortly before. */
export const EventSearchEntity = defineEntity({
  name: 'EventSearchEntity',
  tableName: 'event_search',
  properties: {
    eventId: p.uuid().primary(),
    firstSeenAt: p.datetime(6),
    /** Hash of all that is indexed: an event with the same one is not indexed again. */
    hash: p.uuid().primary(),
    indexedAt: p.datetime(6),
    /** The fields that queries compare as a whole. */
    content: p.json<object>(),
    /** The fields that queries look for words in, and those that may be compared with wildcards. */
    words: p.text(),
  },
  primaryKeys: ['eventId', 'hash'],
  indexes: contentIndexes('event_search'),
})

/** Values that change with every occurrence, apart from the indexes that are expensive. */
export const EventSeenEntity = defineEntity({
  name: 'EventSeenEntity',
  tableName: 'event_seen',
  properties: {
    eventId: p.uuid().primary(),
    firstSeenAt: p.datetime(6),
    lastSeenAt: p.datetime(6),
    timesSeen: p.bigint('number'),
  },
  indexes: [
    { name: 'event_seen_last_seen_at_index', properties: ['lastSeenAt'] },
    { name: 'event_seen_times_seen_index', properties: ['timesSeen'] },
  ],
})

/** Contents by which raw events are found: each content of a day once, in partitions of one day of receipt in UTC. */
export const RawContentEntity = defineEntity({
  name: 'RawContentEntity',
  tableName: 'raw_content',
  properties: {
    /** A hash of the content. */
    id: p.uuid().primary(),
    day: p.date().primary(),
    content: p.json<object>(),
    words: p.text(),
  },
  primaryKeys: ['id', 'day'],
  indexes: contentIndexes('raw_content'),
})

/** Raw events of a content, in the same partitions. */
export const RawPostingEntity = defineEntity({
  name: 'RawPostingEntity',
  tableName: 'raw_posting',
  properties: {
    contentId: p.uuid().primary(),
    /** Id of the raw event. */
    id: p.bigint('string').primary(),
    receivedAt: p.datetime(6),
    occurredAt: p.datetime(6),
    day: p.date().primary(),
  },
  primaryKeys: ['contentId', 'id', 'day'],
  indexes: [
    {
      name: 'raw_posting_times_index',
      expression:
        'create index raw_posting_times_index on events.raw_posting using brin (occurred_at, received_at) with (pages_per_range = 16)',
    },
  ],
})

/** The numbers among the properties of the same. */
export const EventNumberEntity = defineEntity({
  name: 'EventNumberEntity',
  tableName: 'event_number',
  properties: {
    /** Beginning of the property's name. */
    key: p.text().primary(),
    value: p.decimal('string').columnType('numeric').primary(),
    firstSeenAt: p.datetime(6).primary(),
    eventId: p.uuid().primary(),
  },
  primaryKeys: ['key', 'value', 'firstSeenAt', 'eventId'],
})

/** The numbers among the properties of a content, in the same partitions. */
export const RawNumberEntity = defineEntity({
  name: 'RawNumberEntity',
  tableName: 'raw_number',
  properties: {
    key: p.text().primary(),
    value: p.decimal('string').columnType('numeric').primary(),
    contentId: p.uuid().primary(),
    day: p.date().primary(),
  },
  primaryKeys: ['key', 'value', 'contentId', 'day'],
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

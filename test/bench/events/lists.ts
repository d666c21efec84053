/** A query of each documented kind, frequent and rare. */
const QUERIES = [
  '',
  'severity:INFO',
  'severity:CRITICAL AND -tags:ticketed',
  'status:OPEN',
  'tags:common',
  'tags:rare',
  'tags:rar*',
  'tags:(rare OR common)',
  'source.ref:host-77',
  'source.ref:host-777*',
  'source.type:host',
  'eventClass:rare',
  'properties.order:4711',
  'properties.order:[4710 TO 4712]',
  'properties.order:[* TO 2000]',
  'properties.order:[900000 TO *]',
  'properties.latency:[9999 TO *]',
  'properties.latency:[9900 TO *]',
  'properties.latency:[5000 TO *]',
  'properties.latency:[9990 TO *] OR tags:rare',
  'properties.latency:[9000 TO *] severity:CRITICAL',
  'title:"number 4711"',
  'message:4711',
  '4711',
  'disk',
  '"of order 4711" OR tags:rare',
  'numb*4711',
  'severity:CRITICAL tags:rare',
  'firstSeenAt:[2020-01-01 TO 2020-02-01]',
  'nothing_like_it',
]
const OF_EVENTS = ['timesSeen:[500 TO *]', 'timesSeen:10', 'lastSeenAt:[2020-01-01 TO 2020-02-01]']
const OF_RAW = ['occurredAt:[2020-01-01 TO 2020-02-01]', 'receivedAt:[2020-01-01 TO 2020-02-01]']

/** Every list, as a title and a path. @param id of an event */
export const lists = (id: string): [title: string, path: string][] => [
  [`/{id}`, `/${id}`],
  [`/{id}/raw`, `/${id}/raw`],
  ...[...QUERIES, ...OF_EVENTS].map(asList('')),
  ...[...QUERIES, ...OF_RAW].map(asList('/raw')),
]

const asList =
  (path: string) =>
  (query: string): [string, string] => [
    `${path}?q=${query}`,
    `${path}?${new URLSearchParams({ q: query })}`,
  ]

import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
const ids: Record<string, string> = {}
beforeAll(async () => {
  events = await runEvents()
  const { accepted } = await events.ingest(ITEMS)
  for (const { index, id } of accepted) ids[ITEMS[index]?.title ?? ''] = id
  await events.ingest([{ ...ITEMS[2], message: 'load 99' }])
})
afterAll(() => events.stop())

const ITEMS = [
  {
    title: 'Disk full',
    message: 'on /var/log, 100%',
    severity: 'CRITICAL',
    status: 'OPEN',
    tags: ['ticketed', 'storage'],
    source: { ref: 'db1', type: 'host' },
    properties: { attempts: 3, 'build name': 'job', 'a.b': 'dotted', ok: true },
    createdAt: '2026-01-10T10:00:00Z',
  },
  {
    title: 'Disk slow?',
    severity: 'WARN',
    status: 'OPEN',
    tags: ['storage'],
    source: { ref: 'db2', type: 'host' },
    properties: { attempts: 12, text: '12' },
    createdAt: '2026-01-11T10:00:00Z',
  },
  {
    title: 'Load high',
    severity: 'INFO',
    eventClass: 'cpu',
    source: { ref: 'web:1', type: 'container' },
    properties: { attempts: '12' },
    createdAt: '2026-01-12T10:00:00Z',
  },
]
const [FULL, SLOW, LOAD] = ITEMS.map(({ title }) => title)

const LIST = `query ($query: String) {
  events(query: $query) { nodes { title } totalCount }
  rawEvents(query: $query) { nodes { title } totalCount } }`

test.each([
  ['', [FULL, SLOW, LOAD]],
  ['severity:CRITICAL', [FULL]],
  ['severity:critical', [FULL]],
  ['severity:>=WARN', [FULL, SLOW]],
  ['severity:>=error', [FULL]],
  ['severity:<CRITICAL', [SLOW, LOAD]],
  ['severity:[warn TO CRITICAL}', [SLOW]],
  ['severity:>CRITICAL', []],
  ['-severity:>INFO', [LOAD]],
  ['status:OPEN AND -tags:ticketed', [SLOW]],
  ['status:OPEN NOT tags:ticketed', [SLOW]],
  ['tags:(ticketed OR other)', [FULL]],
  ['tags:stor*', [FULL, SLOW]],
  ['disk', [FULL, SLOW]],
  ['disk full', [FULL]],
  ['"disk full"', [FULL]],
  ['load OR "VAR/LOG"', [FULL, LOAD]],
  ['100%', [FULL]],
  ['slow\\?', [SLOW]],
  ['title:"slow?"', [SLOW]],
  ['message:*', [FULL, LOAD]],
  ['NOT message:*', [SLOW]],
  ['-message:log', [SLOW, LOAD]],
  ['source.ref:db?', [FULL, SLOW]],
  ['source.ref:web\\:1', [LOAD]],
  ['source.ref:web:1', [LOAD]],
  ['source.type:host -severity:WARN', [FULL]],
  ['eventClass:cpu', [LOAD]],
  ['properties.attempts:12', [SLOW, LOAD]],
  ['properties.attempts:[3 TO 11]', [FULL]],
  ['properties.attempts:{3 TO *]', [SLOW]],
  ['properties.ok:true', [FULL]],
  ['properties.build\\ name:job', [FULL]],
  ['properties.a.b:dotted', [FULL]],
  ['properties.text:*', [SLOW]],
  ['firstSeenAt:2026-01-11', [SLOW]],
  ['firstSeenAt:[2026-01-10 TO 2026-01-11]', [FULL, SLOW]],
  ['lastSeenAt:[2026-01-11T10:00:00Z TO *]', [SLOW, LOAD]],
  ['lastSeenAt:{2026-01-11T10:00:00Z TO *}', [LOAD]],
  ['firstSeenAt:>2026-01-11', [LOAD]],
  ['firstSeenAt:>= 2026-01-11', [SLOW, LOAD]],
  ['firstSeenAt:<2026-01-11', [FULL]],
  ['timesSeen:[2 TO *]', [LOAD]],
  ['(severity:WARN OR severity:INFO) && !eventClass:cpu', [SLOW]],
  [`title:"' OR 1=1 --"`, []],
])('the query %s finds %j', async (query, titles) => {
  const found = await events.run(LIST, { query })
  const titlesOf = ({ nodes }: Data) => nodes.map(({ title }: Data) => title)
  expect(titlesOf(found.events).toSorted()).toEqual(titles.toSorted())
  expect(found.events.totalCount).toBe(titles.length)
  // The message of the earlier occurrence of one event was overwritten.
  if (query !== 'message:*' && query !== 'NOT message:*' && query !== 'load OR "VAR/LOG"')
    expect([...new Set(titlesOf(found.rawEvents))].toSorted()).toEqual(titles.toSorted())
})

test.each([
  ['severity:', 'character 10'],
  ['(disk', 'character 1'],
  ['disk)', 'character 5'],
  ['"disk', 'character 1'],
  ['disk AND', 'character 9'],
  ['disk nosuch:x', 'character 6'],
  ['timesSeen:many', 'character 11'],
  ['firstSeenAt:[soon TO *]', 'character 13'],
  ['firstSeenAt:<=2026-02-30', 'character 13'],
  ['timesSeen:>=', 'character 13'],
  ['(timesSeen:> )', 'character 14'],
  ['firstSeenAt:[* *]', 'character 16'],
  ['disk\\', 'character 5'],
  ['('.repeat(5_000), 'nested too deeply'],
  ['disk\0', 'character 5'],
  ['toString:x', 'character 1'],
])('the query %s is refused at %s', async (query, where) => {
  const { errors } = await events.answer(LIST, { query })
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
  expect(errors?.[0]?.message).toContain('(q)') // over REST the query is this parameter
  expect(errors?.[0]?.message).toContain(where)
})

test('occurrences can also be asked for by their own times', async () => {
  const { rawEvents } = await events.run(
    `{ rawEvents(query: "occurredAt:2026-01-12 receivedAt:[2026-01-13 TO *]") { totalCount } }`,
  )
  expect(rawEvents.totalCount).toBe(2)
})

test('raw events and occurrences are paged in both directions', async () => {
  const PAGE = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    rawEvents(first: $first, after: $after, last: $last, before: $before) {
      nodes { title isNew event { timesSeen } source { ref } } pageInfo { endCursor startCursor hasNextPage } }
    event(id: $id) { occurrences(first: 1) { totalCount nodes { message } pageInfo { endCursor } } } }`
  const id = ids['Load high']
  const first = await events.run(PAGE, { id, first: 1 })
  expect(first.rawEvents.nodes).toEqual([
    { title: 'Load high', isNew: false, event: { timesSeen: 2 }, source: { ref: 'web:1' } },
  ])
  expect(first.event.occurrences).toMatchObject({ totalCount: 2, nodes: [{ message: 'load 99' }] })
  const second = await events.run(PAGE, { id, first: 9, after: first.rawEvents.pageInfo.endCursor })
  expect(second.rawEvents.nodes.map(({ title }: Data) => title)).toEqual([LOAD, SLOW, FULL])
  expect(second.rawEvents.pageInfo.hasNextPage).toBe(false)
  const before = second.rawEvents.pageInfo.startCursor
  expect((await events.run(PAGE, { id, last: 5, before })).rawEvents.nodes).toHaveLength(1)
})

test.each([
  '{ events(first: 0) { totalCount } }',
  '{ events(first: 1001) { totalCount } }',
  '{ events(first: 1, last: 1) { totalCount } }',
  '{ events(after: "nonsense") { totalCount } }',
  '{ rawEvents(after: "nonsense") { totalCount } }',
])('a page that cannot be is refused: %s', async (operation) => {
  const { errors } = await events.answer(operation)
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
})

test('histograms count occurrences by receipt, empty intervals included', async () => {
  const HISTOGRAM = `query ($id: ID!) {
    eventHistogram(query: "severity:INFO", interval: MINUTE) { start occurrences }
    event(id: $id) { histogram(interval: DAY) { occurrences } } }`
  const { eventHistogram, event } = await events.run(HISTOGRAM, { id: ids['Disk full'] })
  const total = (buckets: Data[]) => buckets.reduce((sum, { occurrences }) => sum + occurrences, 0)
  expect(eventHistogram).toHaveLength(60)
  expect(total(eventHistogram)).toBe(2)
  expect(event.histogram).toHaveLength(60)
  expect(total(event.histogram)).toBe(1)
})

test('statistics count occurrences and events by severity and status, in all and by interval', async () => {
  const STATISTICS = `query ($query: String, $from: DateTime) {
    eventStatistics(query: $query, interval: HOUR, from: $from) {
      occurrences events
      bySeverity { word occurrences events } byStatus { word occurrences events }
      buckets { occurrences bySeverity { word occurrences } byStatus { word occurrences } } } }`
  await events.ingest([
    { title: 'counted', tags: ['counted'], severity: 'WARN', status: 'OPEN' },
    { title: 'counted', tags: ['counted'], severity: 'WARN', status: 'OPEN' },
    { title: 'counted, too', tags: ['counted'], severity: 'DOWN', status: 'OPEN' },
  ])
  const { eventStatistics } = await events.run(STATISTICS, { query: 'tags:counted' })
  const { buckets, ...all } = eventStatistics
  expect(all).toEqual({
    occurrences: 3,
    events: 2,
    bySeverity: [
      { word: 'WARN', occurrences: 2, events: 1 },
      { word: 'OTHER', occurrences: 1, events: 1 },
    ],
    byStatus: [{ word: 'OPEN', occurrences: 3, events: 2 }],
  })
  expect(buckets).toHaveLength(60)
  const sum = buckets.reduce((total: number, each: Data) => total + each.occurrences, 0)
  expect(sum).toBe(3)
  expect(buckets[0]).toEqual({ occurrences: 0, bySeverity: [], byStatus: [] })
  const { errors } = await events.answer(STATISTICS, { from: '2020-01-01T00:00:00Z' })
  expect(errors?.[0]?.message).toContain('at most 3000 intervals')
})

test('fields and values of the newest events are suggested, the most frequent first', async () => {
  await events.ingest([
    ...['a', 'b'].map((title) => ({
      title: `suggested ${title}`,
      tags: ['sug-tag'],
      source: { ref: 'sug-ref' },
      properties: { sugRegion: 'North', 'sug deep': { x: 1 }, sugCount: 7 },
    })),
    { title: 'suggested c', properties: { sugRegion: 'northern' } },
  ])
  const FIELDS = 'query ($prefix: String) { eventFields(prefix: $prefix) { name hasValues } }'
  const fields = async (prefix: string) => (await events.run(FIELDS, { prefix })).eventFields
  expect(await fields('properties.SUG')).toEqual(
    ['sugRegion', 'sug deep', 'sugCount'].map((name) => ({
      name: `properties.${name}`,
      hasValues: true,
    })),
  )
  expect((await fields('s')).map(({ name }: { name: string }) => name)).toEqual([
    'severity',
    'status',
    ...['source.ref', 'source.type', 'source.name'],
  ])
  expect(await fields('times')).toEqual([{ name: 'timesSeen', hasValues: false }])
  const VALUES = `query ($field: String!, $prefix: String) {
    eventFieldValues(field: $field, prefix: $prefix) { value events } }`
  const values = async (field: string, prefix = '') =>
    (await events.run(VALUES, { field, prefix })).eventFieldValues
  expect(await values('properties.sugRegion', 'NOR')).toEqual([
    { value: 'North', events: 2 },
    { value: 'northern', events: 1 },
  ])
  expect(await values('properties.sug deep')).toEqual([])
  expect(await values('tags', 'sug')).toEqual([{ value: 'sug-tag', events: 2 }])
  expect(await values('source.ref', 'sug')).toEqual([{ value: 'sug-ref', events: 2 }])
  expect(await values('title')).toEqual([])
  for (const given of [{ field: 'toString' }, { field: 'tags', prefix: '\0' }]) {
    const { errors } = await events.answer(VALUES, given)
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT')
  }
})

test('a fingerprint is explained by what formed it and what had no effect', async () => {
  const { accepted } = await events.ingest([
    {
      title: 'explained',
      fingerprintFields: ['n', '@Title', '@title', 'absent'],
      source: { ref: 'r' },
      properties: { n: 42 },
    },
  ])
  const { event } = await events.run(
    'query ($id: ID!) { event(id: $id) { fingerprintExplanation { used { name value } ignored } } }',
    { id: accepted[0].id },
  )
  expect(event.fingerprintExplanation).toEqual({
    used: [
      { name: '@source.ref', value: 'r' },
      { name: '@title', value: 'explained' },
      { name: 'n', value: 42 },
    ],
    ignored: ['@Title', 'absent'],
  })
})

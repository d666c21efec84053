import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

const EVENT = `query ($id: ID!) { event(id: $id) {
  id title message severity status tags properties timesSeen eventClass fingerprintFields
  firstSeenAt lastSeenAt source { ref type name properties } sender { ref } execution { id } } }`

const read = async (id: string) => (await events.run(EVENT, { id })).event

test('each item gets its own verdict, in order of position', async () => {
  const result = await events.ingest([
    { title: 'disk full' },
    {},
    null,
    42,
    { title: 'again', tags: 'x' },
    { title: 'disk full' },
  ])
  expect(result).toEqual({
    sent: 2,
    success: 'PARTIAL',
    replayed: false,
    accepted: [
      { index: 0, id: expect.any(String) },
      { index: 5, id: expect.any(String) },
    ],
    errors: [
      { index: 1, message: 'The required field was missing: [title]' },
      { index: 2, message: 'The event is not a JSON object' },
      { index: 3, message: 'The event is not a JSON object' },
      { index: 4, message: 'The field has the wrong type: [tags]' },
    ],
  })
  expect(result.accepted[0].id).toBe(result.accepted[1].id)
  expect(await read(result.accepted[0].id)).toMatchObject({ title: 'disk full', timesSeen: 2 })
})

test('a request without any event is refused', async () => {
  const { errors } = await events.answer(
    'mutation { ingestEvents(input: { events: [] }) { sent } }',
  )
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
})

test('a request whose every event is wrong stores nothing', async () => {
  expect(await events.ingest([{ message: 'no title' }])).toMatchObject({ sent: 0, success: 'NONE' })
})

test('a stored event comes back with every field, defaults filled in', async () => {
  const { accepted } = await events.ingest([
    {
      title: 'T',
      severity: 'warn',
      fingerprintFields: ['@title', 'a b'],
      source: { ref: 'h', type: 'host', name: 'H' },
      sender: { ref: 's' },
      properties: { 'a b': 42, deep: [{ x: null }] },
      tags: ['one'],
      createdAt: 1506251154,
    },
  ])
  expect(await read(accepted[0].id)).toEqual({
    id: accepted[0].id,
    title: 'T',
    message: null,
    severity: 'WARN',
    status: 'OK',
    tags: ['one'],
    properties: { 'a b': 42, deep: [{ x: null }] },
    timesSeen: 1,
    eventClass: null,
    fingerprintFields: ['@title', 'a b'],
    firstSeenAt: '2017-09-24T11:05:54.000Z',
    lastSeenAt: '2017-09-24T11:05:54.000Z',
    source: { ref: 'h', type: 'host', name: 'H', properties: null },
    sender: { ref: 's' },
    execution: null,
  })
})

test('the latest occurrence overwrites the event as a whole; an older one only counts', async () => {
  const base = { fingerprintFields: ['key'], properties: { key: 'order' } }
  const { accepted } = await events.ingest([
    { ...base, title: 'second', message: 'm', tags: ['a'], createdAt: '2026-01-02T00:00:00Z' },
  ])
  const { id } = accepted[0]
  await events.ingest([{ ...base, title: 'first', createdAt: '2026-01-01T00:00:00Z' }])
  expect(await read(id)).toMatchObject({
    title: 'second',
    message: 'm',
    tags: ['a'],
    timesSeen: 2,
    firstSeenAt: '2026-01-01T00:00:00.000Z',
    lastSeenAt: '2026-01-02T00:00:00.000Z',
  })
  await events.ingest([{ ...base, title: 'third', createdAt: '2026-01-02T00:00:00Z' }])
  expect(await read(id)).toMatchObject({ title: 'third', message: null, tags: [], timesSeen: 3 })
})

test('every occurrence is a raw event, and its minute is counted', async () => {
  const { accepted } = await events.ingest([{ title: 'raw' }, { title: 'raw' }, { title: 'raw' }])
  const { id } = accepted[0]
  const raw = await events.sql(
    'select is_new from events.raw_event where event_id = $1 order by id',
    [id],
  )
  expect(raw).toEqual([{ is_new: true }, { is_new: false }, { is_new: false }])
  const [minutes] = await events.sql(
    'select sum(occurrences)::int as total from events.event_minute where event_id = $1',
    [id],
  )
  expect(minutes.total).toBe(3)
})

test('events are listed newest first, page by page, in both directions', async () => {
  const { accepted } = await events.ingest(
    [5, 4, 3, 2, 1].map((day) => ({ title: `page ${day}`, createdAt: `1999-01-0${day}` })),
  )
  const ids = accepted.map(({ id }: { id: string }) => id)
  const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String) {
    events(first: $first, after: $after, last: $last, before: $before) {
      nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
  const last = (await events.run(PAGE, { last: 2 })).events
  expect(last.nodes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3))
  expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  const before = (await events.run(PAGE, { last: 2, before: last.pageInfo.startCursor })).events
  expect(before.nodes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1, 3))
  const after = (await events.run(PAGE, { first: 9, after: before.pageInfo.endCursor })).events
  expect(after.nodes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3))
  expect(after.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
})

test('an unknown id is null, whatever it looks like', async () => {
  expect(await read('nobody')).toBeNull()
  expect(await read('00000000-0000-8000-8000-000000000000')).toBeNull()
})

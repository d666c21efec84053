import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

const IMPORT = `mutation ($events: [JSON]!) {
  importEvents(input: { events: $events }) { index eventId outcome message } }`
const READ = `query ($id: ID!) {
  event(id: $id) { id title status severity timesSeen firstSeenAt lastSeenAt properties } }`

const run = async (all: unknown[]) =>
  (await events.run(IMPORT, { events: all }, 'admin')).importEvents
const read = async (id: string) => (await events.run(READ, { id })).event

const STORED = {
  id: 'former-1',
  fingerprint: 'of another rule',
  title: 'Imported',
  status: 'ACKNOWLEDGED',
  severity: 'CRITICAL',
  source: { ref: 'db1', type: 'host' },
  properties: { free: 12 },
  firstSeenAt: 1_500_000_000_000,
  lastSeenAt: 1_600_000_000_000,
  lastUpdatedAt: 1_600_000_000_500,
  timesSeen: 42,
}

test('a stored event keeps its id, times, count and status, and a repetition changes nothing', async () => {
  const [created] = await run([STORED])
  expect(created).toMatchObject({ index: 0, outcome: 'CREATED', message: null })
  const event = {
    id: created.eventId,
    title: 'Imported',
    status: 'ACKNOWLEDGED',
    severity: 'CRITICAL',
    timesSeen: 42,
    firstSeenAt: '2017-07-14T02:40:00.000Z',
    lastSeenAt: '2020-09-13T12:26:40.000Z',
    properties: { free: 12 },
  }
  expect(await read('former-1')).toEqual(event)
  expect(await read(created.eventId)).toEqual(event)
  expect(await run([STORED])).toEqual([{ ...created, outcome: 'UNCHANGED' }])
  expect(await read('former-1')).toEqual(event)
  const found = await events.run('query ($q: String) { events(query: $q) { nodes { id } } }', {
    q: 'title:Imported AND severity:CRITICAL',
  })
  expect(found.events.nodes).toEqual([{ id: created.eventId }])
})

test('occurrences count into an imported event, and a later import adds what is new', async () => {
  const former = { ...STORED, id: 'former-2', title: 'Goes on' }
  const [{ eventId }] = await run([former])
  const { accepted } = await events.ingest([
    { title: 'Goes on', source: STORED.source, status: 'OPEN', severity: 'CRITICAL' },
  ])
  expect(accepted[0].id).toBe(eventId)
  expect(await read('former-2')).toMatchObject({ timesSeen: 43, status: 'ACKNOWLEDGED' })
  const [merged] = await run([{ ...former, timesSeen: 45 }])
  expect(merged).toMatchObject({ eventId, outcome: 'MERGED' })
  expect(await read('former-2')).toMatchObject({
    timesSeen: 46,
    firstSeenAt: '2017-07-14T02:40:00.000Z',
  })
})

test('an event that was here before takes over times and counts, and keeps its later content', async () => {
  const { accepted } = await events.ingest([{ title: 'Here first', status: 'OPEN' }])
  const [merged] = await run([
    { ...STORED, id: 'former-3', title: 'Here first', source: null },
    { ...STORED, id: 'former-4', title: 'Here first', source: null, timesSeen: 1 },
  ])
  expect(merged).toMatchObject({ eventId: accepted[0].id, outcome: 'MERGED' })
  const event = await read('former-4')
  expect(event).toMatchObject({ timesSeen: 44, status: 'OPEN', severity: 'INFO' })
  expect(event.firstSeenAt).toBe('2017-07-14T02:40:00.000Z')
})

test('the status of an imported event is set by the id that it had before', async () => {
  const [one, two] = await run([
    { ...STORED, id: 'former-5', title: 'One' },
    { ...STORED, id: 'former-6', title: 'Two' },
  ])
  const closed = await events.run(
    'mutation { setEventStatus(input: { id: "former-5", status: CLOSED }) { id status } }',
  )
  expect(closed.setEventStatus).toEqual({ id: one.eventId, status: 'CLOSED' })
  const SET = `mutation ($ids: [ID!]!) {
    setEventStatuses(input: { ids: $ids, status: OK }) { id: eventId outcome event { id status } } }`
  const set = await events.run(SET, { ids: ['former-6', one.eventId, 'former-7'] })
  expect(set.setEventStatuses).toEqual([
    { id: 'former-6', outcome: 'CHANGED', event: { id: two.eventId, status: 'OK' } },
    { id: one.eventId, outcome: 'CHANGED', event: { id: one.eventId, status: 'OK' } },
    { id: 'former-7', outcome: 'NOT_FOUND', event: null },
  ])
})

test('an event as large as any may be is imported with what it got when it was stored', async () => {
  const source = { ref: 'db1', properties: { text: 'x'.repeat(12_000) } }
  const sent = { title: 'Large', message: '', source }
  sent.message = 'x'.repeat(32_768 - JSON.stringify(sent).length)
  const stored = {
    ...STORED,
    ...sent,
    fingerprintFields: ['@title'],
    tags: [],
    relatedSources: [source, source],
    timesSeen: null,
  }
  const results = await run([
    { ...stored, id: 'large' },
    { ...stored, id: 'too large', message: 'x'.repeat(65_536) },
  ])
  expect(results).toMatchObject([
    { outcome: 'CREATED' },
    { outcome: 'REFUSED', message: 'The event is larger than 65536 bytes' },
  ])
  expect(await read('large')).toMatchObject({ title: 'Large', timesSeen: 1 })
})

test('timesSeen goes no higher than GraphQL can say', async () => {
  const former = { ...STORED, id: 'often', title: 'Often', timesSeen: 2 ** 31 - 1 }
  await run([former])
  await events.ingest([{ title: 'Often', source: STORED.source }])
  expect(await read('often')).toMatchObject({ timesSeen: 2 ** 31 - 1 })
})

describe('a second import', () => {
  const HISTORY = `query ($id: ID!) {
    event(id: $id) { statusHistory(first: 10) { nodes { fromStatus toStatus at } } } }`
  const changesOf = async (id: string) =>
    (await events.run(HISTORY, { id })).event.statusHistory.nodes
  const set = (id: string, status: string) =>
    events.run(
      'mutation ($id: ID!, $status: SettableStatus!) { setEventStatus(input: { id: $id, status: $status }) { id } }',
      { id, status },
    )

  test('with a later occurrence leaves an acknowledged event acknowledged unless it got worse', async () => {
    const former = { ...STORED, id: 'acked', title: 'Acked', status: 'OPEN', severity: 'WARN' }
    await run([former])
    await set('acked', 'ACKNOWLEDGED')
    const again = { ...former, lastSeenAt: former.lastSeenAt + 1_000, timesSeen: 43 }
    expect(await run([again])).toMatchObject([{ outcome: 'MERGED' }])
    expect(await read('acked')).toMatchObject({ status: 'ACKNOWLEDGED', timesSeen: 43 })
    expect(await changesOf('acked')).toHaveLength(1)
    const worse = { ...again, lastSeenAt: again.lastSeenAt + 1_000, severity: 'CRITICAL' }
    await run([worse])
    expect(await read('acked')).toMatchObject({ status: 'OPEN', severity: 'CRITICAL' })
    expect(await changesOf('acked')).toContainEqual(
      expect.objectContaining({ fromStatus: 'ACKNOWLEDGED', toStatus: 'OPEN' }),
    )
  })

  test('takes over a status that was set there later than anything here, and tells it in the history', async () => {
    const former = { ...STORED, id: 'closed there', title: 'Closed there', status: 'OPEN' }
    await run([former])
    const closed = { ...former, status: 'CLOSED', lastUpdatedAt: former.lastUpdatedAt + 60_000 }
    expect(await run([closed])).toMatchObject([{ outcome: 'MERGED' }])
    expect(await read('closed there')).toMatchObject({ status: 'CLOSED', timesSeen: 42 })
    expect(await changesOf('closed there')).toEqual([
      { fromStatus: 'OPEN', toStatus: 'CLOSED', at: '2020-09-13T12:27:40.500Z' },
    ])
    await set('closed there', 'OPEN')
    expect(await run([closed])).toMatchObject([{ outcome: 'UNCHANGED' }])
    expect(await read('closed there')).toMatchObject({ status: 'OPEN' })
  })

  test.each([
    ['no times', { firstSeenAt: null, lastSeenAt: null, lastUpdatedAt: null }],
    [
      'times that are not set',
      {
        firstSeenAt: -62_135_596_800_000,
        lastSeenAt: '0001-01-01T00:00:00Z',
        lastUpdatedAt: '0001-01-01T00:00:00Z',
      },
    ],
    ['times of the future', { lastSeenAt: 4_000_000_000_000, lastUpdatedAt: 4_000_000_000_000 }],
  ])('of an event with %s changes nothing', async (name, times) => {
    const former = { ...STORED, ...times, id: name, title: name, status: 'OPEN' }
    await run([former])
    await set(name, 'CLOSED')
    expect(await run([former])).toMatchObject([{ outcome: 'UNCHANGED' }])
    expect(await read(name)).toMatchObject({ status: 'CLOSED' })
  })
})

const NO_COUNT = 'The field is no whole number from 1 to 2147483647: [timesSeen]'

test.each([
  ['no id', { id: undefined }, 'The required field was missing: [id]'],
  ['no title', { title: ' ' }, 'The required field was missing: [title]'],
  ['a count of nothing', { timesSeen: 0 }, NO_COUNT],
  ['more occurrences than can be told', { timesSeen: 2 ** 31 }, NO_COUNT],
  [
    'times in disorder',
    { firstSeenAt: 1_700_000_000_000 },
    'The field is no time up to lastSeenAt: [firstSeenAt]',
  ],
  [
    'an unreadable time',
    { lastSeenAt: 'lately' },
    'The field cannot be read as a time: [lastSeenAt]',
  ],
])(
  'an event with %s is refused, and the others of the call are stored',
  async (name, change, message) => {
    const results = await run([
      { ...STORED, id: `bad ${name}`, ...change },
      { ...STORED, id: `good ${name}`, title: name },
    ])
    expect(results).toEqual([
      { index: 0, eventId: null, outcome: 'REFUSED', message },
      { index: 1, eventId: expect.any(String), outcome: 'CREATED', message: null },
    ])
    expect(await read(`bad ${name}`)).toBeNull()
  },
)

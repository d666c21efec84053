import pg from 'pg'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

const SEARCH_LAG = 500

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents({ searchLag: SEARCH_LAG })
})
afterAll(() => events.stop())

const LIST = `query ($query: String) {
  events(query: $query) { nodes { title } } rawEvents(query: $query) { nodes { title } } }`

async function find(query: string): Promise<{ events: string[]; rawEvents: string[] }> {
  const found = await events.run(LIST, { query })
  const titlesOf = ({ nodes }: Data) => nodes.map(({ title }: Data) => title)
  return { events: titlesOf(found.events), rawEvents: titlesOf(found.rawEvents) }
}

/** Waits until everything that is stored is indexed. */
async function indexed(): Promise<void> {
  for (;;) {
    const [{ late }] = await events.sql(
      `select count(*)::int as late from events.raw_event as raw, events.search_position as position
       where raw.id > position.id`,
    )
    if (late === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('what is stored is found at once, and just as well once it is indexed', async () => {
  await events.ingest([{ title: 'fresh', tags: ['new'] }])
  const expected = { events: ['fresh'], rawEvents: ['fresh'] }
  expect(await find('tags:new')).toEqual(expected)
  await indexed()
  expect(await find('tags:new')).toEqual(expected)
  expect(await find('fres*')).toEqual(expected)
})

test('an event that changed since it was indexed is found as it is', async () => {
  const event = { fingerprintFields: ['k'], properties: { k: 1 } }
  await events.ingest([{ ...event, title: 'before', tags: ['before'] }])
  await indexed()
  await events.ingest([{ ...event, title: 'after', tags: ['after'] }])
  expect(await find('tags:after')).toEqual({ events: ['after'], rawEvents: ['after'] })
  expect(await find('tags:before')).toEqual({ events: [], rawEvents: ['before'] })
  expect((await find('timesSeen:2')).events).toEqual(['after'])
})

test('numbers are found in a range by what the event has now, and what each occurrence had', async () => {
  const event = { title: 'under load', fingerprintFields: ['@title'] }
  for (const load of [10, 20.5, '20.5', 1e300, -3]) {
    await events.ingest([{ ...event, properties: { load, ['l'.repeat(3_000)]: load } }])
    await indexed()
  }
  const occurrences = async (range: string) =>
    (await find(`properties.load:${range}`)).rawEvents.length
  expect(await occurrences('[10 TO 20.5]')).toBe(2)
  expect(await occurrences('{10 TO 20.5]')).toBe(1)
  expect(await occurrences('[* TO 10}')).toBe(1)
  expect(await occurrences('[21 TO *]')).toBe(1)
  expect(await occurrences('[* TO *]')).toBe(4)
  expect((await find('properties.load:[-3 TO -3]')).events).toEqual(['under load'])
  expect((await find('properties.load:[10 TO *]')).events).toEqual([])
  expect((await find(`properties.${'l'.repeat(3_000)}:[20 TO 21]`)).rawEvents).toHaveLength(1)
  expect((await find(`properties.${'l'.repeat(2_999)}:[20 TO 21]`)).rawEvents).toHaveLength(0)
})

test('contents that an event comes with in turn are indexed once, and dropped after a while', async () => {
  const send = async (...words: string[]) => {
    for (const [at, word] of words.entries()) {
      const properties = { turn: word, load: at }
      await events.ingest([{ title: 'in turn', message: word, properties, tags: ['turn'] }])
      await indexed()
    }
  }
  const contents = () =>
    events.sql(
      `select words, indexed_at from events.event_search where words like 'in turn%' order by words`,
    )
  const numbers = () =>
    events.sql(
      `select value::float8 as value from events.event_number where event_id in (
         select event_id from events.event_search where words like 'in turn%') order by 1`,
    )
  await send('red', 'green')
  const before = await contents()
  await send('red', 'green')
  expect(before).toHaveLength(2)
  expect(await contents()).toEqual(before)
  expect((await find('message:green')).events).toEqual(['in turn'])
  expect((await find('message:red')).events).toEqual([])

  await events.sql(`update events.event_search set indexed_at = indexed_at - interval '2 minutes'`)
  await send('blue')
  expect((await contents()).map(({ words }) => words.split('\n')[1])).toEqual(['blue'])
  expect(await numbers()).toEqual([{ value: 0 }])
  expect((await find('properties.load:[0 TO 0]')).events).toEqual(['in turn'])
  expect((await find('properties.load:[1 TO 1]')).events).toEqual([])
  expect((await find('message:blue')).events).toEqual(['in turn'])
})

test('an event whose status a person sets is found by it at once', async () => {
  const { accepted } = await events.ingest([{ title: 'to close', status: 'OPEN' }])
  await indexed()
  await events.run(
    'mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) { status } }',
    { input: { id: accepted[0].id, status: 'CLOSED' } },
  )
  expect((await find('status:CLOSED')).events).toEqual(['to close'])
  expect((await find('status:OPEN')).events).toEqual([])
})

test.each([
  'properties.percent:*',
  'properties.percent:[90 TO 95]',
  '(properties.percent:[90 TO 95] OR tags:absent)',
  '(properties.percent:[900 TO *] OR tags:47*)',
  'properties.percent:[90 TO 95] properties.percent:[91 TO *]',
  'properties.mount:/v*',
  'tags:4*',
  'tags:47*',
  'source.ref:z*',
  'source.ref:*9',
  'eventClass:q*',
])('%s finds the same before and after it is indexed', async (query) => {
  const title = `looked up by ${query}`
  const expected = { events: [title], rawEvents: [title] }
  await events.ingest([
    {
      title,
      tags: ['a', '4711'],
      source: { ref: 'z9' },
      eventClass: 'q-1',
      properties: { percent: 91, mount: '/var' },
    },
    { title: `not ${title}`, tags: ['a47'], source: { ref: 'az' }, properties: { other: '/var' } },
  ])
  const narrowed = `${query} AND title:"${title}"`
  expect(await find(narrowed)).toEqual(expected)
  await indexed()
  expect(await find(narrowed)).toEqual(expected)
})

test('what has a reference too long for an index is indexed and found by how that begins', async () => {
  const ref = Array.from({ length: 3_000 }, (_, at) => (at * 7_919).toString(36)).join('')
  await events.ingest([{ title: 'long reference', source: { ref } }])
  await indexed()
  const expected = { events: ['long reference'], rawEvents: ['long reference'] }
  for (const length of [20, 199, 200, 201, 300])
    expect(await find(`source.ref:${ref.slice(0, length)}*`)).toEqual(expected)
  expect(await find(`source.ref:${ref.slice(0, 250)}x*`)).toEqual({ events: [], rawEvents: [] })
})

test('wildcards and escapes at the begin of a reference are what they are', async () => {
  const refs = ['50%_off\\x', '50%zoff', 'a50%_off']
  await events.ingest(refs.map((ref) => ({ title: ref, source: { ref } })))
  await indexed()
  expect((await find('source.ref:50%_*')).events).toEqual(['50%_off\\x'])
  expect((await find('source.ref:*50%_*')).events.toSorted()).toEqual(['50%_off\\x', 'a50%_off'])
})

test('events are refused while search has too many left to index, and taken again behind that', async () => {
  const keeper = new pg.Client(events.url)
  await keeper.connect()
  const send = () => events.ingest(Array.from({ length: 200 }, (_, n) => ({ title: `many ${n}` })))
  try {
    await keeper.query('select pg_advisory_lock(727403)') // as another process that indexes
    const refused = async () => {
      for (;;) await send()
    }
    await expect(refused()).rejects.toMatchObject({
      extensions: { code: 'OVERLOADED', retryAfterSeconds: expect.any(Number) },
      message: expect.stringMatching(/left to index, of at most 500 \(EVENTS_SEARCH_LAG\)/),
    })
  } finally {
    await keeper.end()
  }
  await indexed()
  for (let sent = 0; sent === 0; ) ({ sent } = await send().catch(() => ({ sent: 0 })))
})

import { parse, subscribe } from 'graphql'
import pg from 'pg'
import { openCaller } from '../../../platform/access/caller.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
const open = new Set<AsyncIterator<Data>>()
beforeEach(async () => {
  events = await runEvents()
})
afterEach(async () => {
  for (const stream of open) await stream.return?.()
  open.clear()
  await events.stop()
})

const SUBSCRIPTION = parse(`subscription ($query: String, $after: String) {
  eventReceived(query: $query, after: $after) { cursor isNew event { timesSeen } rawEvent { title } } }`)

async function watch(
  variableValues: { query?: string; after?: string } = {},
  document = SUBSCRIPTION,
) {
  const stream = await subscribe({
    schema: events.schema,
    document,
    variableValues,
    contextValue: { caller: openCaller('test') },
  })
  if (!(Symbol.asyncIterator in stream)) throw stream.errors?.[0]
  const iterator: AsyncIterator<Data> = stream[Symbol.asyncIterator]()
  open.add(iterator)
  const next = async (): Promise<Data> => Object.values((await iterator.next()).value.data)[0]
  const titles = async (count: number): Promise<string[]> => {
    const found: string[] = []
    while (found.length < count) found.push((await next()).rawEvent.title)
    return found
  }
  return { next, titles }
}

test('what matches is delivered as it is stored, and a cursor continues behind it', async () => {
  const live = await watch({ query: 'tags:live' })
  const first = live.next()
  await events.ingest([{ title: 'a', tags: ['live'] }, { title: 'b' }])
  expect(await first).toMatchObject({
    isNew: true,
    event: { timesSeen: 1 },
    rawEvent: { title: 'a' },
  })
  await events.ingest([
    { title: 'a', tags: ['live'] },
    { title: 'c', tags: ['live'] },
  ])
  expect(await live.next()).toMatchObject({ isNew: false, rawEvent: { title: 'a' } })
  const { cursor } = await first
  expect(await (await watch({ query: 'tags:live', after: cursor })).titles(2)).toEqual(['a', 'c'])
  expect(await (await watch({ after: cursor })).titles(3)).toEqual(['b', 'a', 'c'])
  expect(await (await watch({ after: '' })).titles(4)).toEqual(['a', 'b', 'a', 'c'])
})

test('behind the cursor of now comes what changes later: occurrences and statuses', async () => {
  const cursor = async (): Promise<string> => (await events.run('{ eventCursor }')).eventCursor
  expect(await cursor()).toBe('')
  await events.ingest([{ title: 'a' }])
  const afterFirst = await cursor()
  await events.ingest([{ title: 'b' }])
  expect(await (await watch({ after: afterFirst })).titles(1)).toEqual(['b'])
  const [{ id }] = (await events.run('{ events { nodes { id } } }')).events.nodes
  await events.run(
    `mutation { setEventStatus(input: { id: "${id}", status: ACKNOWLEDGED }) { status } }`,
  )
  const afterStatus = await cursor()
  await events.ingest([{ title: 'c' }])
  expect(await (await watch({ after: afterStatus })).titles(1)).toEqual(['c'])
})

test('what an older, slower transaction stores is not skipped', async () => {
  const live = await watch({ after: '' })
  await events.ingest([{ title: 'before' }])
  expect(await live.titles(1)).toEqual(['before'])
  const slow = new pg.Client({ connectionString: events.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query(
    `insert into events.raw_event (event_id, is_new, title, severity, status, properties, tags, occurred_at, received_at)
     select id, false, 'older', 'INFO', 'OK', '{}', '[]', now(), now() from events.event`,
  )
  await events.ingest([{ title: 'newer' }])
  const pending = live.titles(2)
  const early = await Promise.race([
    pending,
    new Promise((resolve) => setTimeout(resolve, 200, 'held back')),
  ])
  expect(early).toBe('held back')
  await slow.query('commit')
  await slow.end()
  expect(await pending).toEqual(['older', 'newer'])
})

test('a reader that goes and comes back under load gets everything once, in one order', async () => {
  const total = 600
  const writing = Promise.all(
    Array.from({ length: total / 3 }, async (_, request) => {
      await new Promise((resolve) => setTimeout(resolve, request * 2))
      await events.ingest([0, 1, 2].map((item) => ({ title: `${request} ${item}` })))
    }),
  )
  const patient = (await watch({ after: '' })).titles(total)
  const found: string[] = []
  for (let after = ''; found.length < total; ) {
    const stream = await watch({ after })
    for (let taken = 0; taken < 47 && found.length < total; taken++) {
      const { cursor, rawEvent } = await stream.next()
      found.push(rawEvent.title)
      after = cursor
    }
  }
  await writing
  expect(new Set(found).size).toBe(total)
  expect(await patient).toEqual(found)
})

test('a reader survives lost connections', async () => {
  const live = await watch({ after: '' })
  await events.ingest([{ title: 'before' }])
  expect(await live.titles(1)).toEqual(['before'])
  await events.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = ''`,
  )
  await events.ingest([{ title: 'after' }])
  expect(await live.titles(1)).toEqual(['after'])
})

const CHANGES = parse(`subscription ($query: String, $after: String) {
  eventChanged(query: $query, after: $after) {
    cursor event { title status timesSeen } rawEvent { title } statusChange { changedBy toStatus } } }`)

const SET = `mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) { id } }`

const changeOf = ({ event, rawEvent, statusChange }: Data) =>
  `${event.title} ${rawEvent ? `seen ${event.timesSeen}` : `${statusChange.toStatus} by ${statusChange.changedBy}`}`

test('changes are occurrences and what people set, in one order, and cursors of both streams continue both', async () => {
  const live = await watch({}, CHANGES)
  const first = live.next()
  const { accepted } = await events.ingest([{ title: 'a', status: 'OPEN' }])
  const { id } = accepted[0]
  expect(changeOf(await first)).toBe('a seen 1')
  const set = (status: string) => events.run(SET, { input: { id, status } }, 'ada')
  await set('ACKNOWLEDGED')
  const acknowledged = await live.next()
  expect(acknowledged).toMatchObject({
    event: { status: 'ACKNOWLEDGED' },
    rawEvent: null,
    statusChange: { changedBy: 'ada', toStatus: 'ACKNOWLEDGED' },
  })
  await set('ACKNOWLEDGED') // the present status: nothing changes
  await events.ingest([{ title: 'b' }, { title: 'a', status: 'OPEN' }])
  await set('CLOSED')
  const after = async (query: object, count: number) => {
    const stream = await watch(query, CHANGES)
    const found: string[] = []
    while (found.length < count) found.push(changeOf(await stream.next()))
    return found
  }
  const rest = ['b seen 1', 'a seen 2', 'a CLOSED by ada']
  expect(await after({ after: acknowledged.cursor }, 3)).toEqual(rest)
  expect([await live.next(), await live.next(), await live.next()].map(changeOf)).toEqual(rest)
  expect(await after({ after: '', query: 'status:CLOSED' }, 4)).toEqual([
    'a seen 2',
    'a ACKNOWLEDGED by ada',
    'a seen 2',
    'a CLOSED by ada',
  ])
  expect(await (await watch({ after: acknowledged.cursor })).titles(2)).toEqual(['b', 'a'])
})

test('one who watches changes gets what an event has become, as soon as it matches', async () => {
  const closed = await watch({ query: 'status:CLOSED AND timesSeen:[1 TO *]' }, CHANGES)
  const { accepted } = await events.ingest([{ title: 'a', status: 'OPEN' }, { title: 'b' }])
  await events.run(SET, { input: { id: accepted[0].id, status: 'CLOSED' } }, 'ada')
  // Its occurrence comes, too, where that is read after the event was closed.
  for (let last = ''; last !== 'a CLOSED by ada'; ) {
    const change = await closed.next()
    expect(change.event).toMatchObject({ title: 'a', status: 'CLOSED' })
    last = changeOf(change)
  }
})

const cursor = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  ['nonsense', 'nonsense'],
  ['of another database', cursor(`9999999999 1 ${Date.now()}`)],
  ['of a day that is dropped', cursor(`1 1 ${Date.now() - 40 * 86_400_000}`)],
])('a cursor that is %s has expired', async (_what, after) => {
  await expect(watch({ after })).rejects.toMatchObject({ extensions: { code: 'CURSOR_EXPIRED' } })
})

test('a query with a fault is refused before the stream begins', async () => {
  await expect(watch({ query: 'a AND' })).rejects.toMatchObject({
    extensions: { code: 'BAD_USER_INPUT' },
  })
})

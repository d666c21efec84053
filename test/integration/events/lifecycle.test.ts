import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents({ retentionDays: 3 })
})
afterAll(() => events.stop())

const SET = `mutation ($id: ID!, $status: SettableStatus!) {
  setEventStatus(input: { id: $id, status: $status }) {
    status statusHistory { nodes { changedBy fromStatus toStatus fromSeverity toSeverity } } } }`

test('people and occurrences change the status, and its history tells who', async () => {
  const { accepted } = await events.ingest([{ title: 'T', status: 'OPEN', severity: 'WARN' }])
  const { id } = accepted[0]
  await events.run(SET, { id, status: 'ACKNOWLEDGED' }, 'ann')
  await events.run(SET, { id, status: 'ACKNOWLEDGED' }, 'bob')
  await events.ingest([{ title: 'T', status: 'OPEN', severity: 'WARN' }])
  await events.ingest([
    { title: 'T', status: 'OPEN', severity: 'ERROR' },
    { title: 'T', status: 'OK' },
  ])
  const { setEventStatus } = await events.run(SET, { id, status: 'CLOSED' })
  const change = (by: string | null, from: string, to: string) => ({
    changedBy: by,
    fromStatus: from.split(' ')[0],
    fromSeverity: from.split(' ')[1],
    toStatus: to.split(' ')[0],
    toSeverity: to.split(' ')[1],
  })
  expect(setEventStatus).toEqual({
    status: 'CLOSED',
    statusHistory: {
      nodes: [
        change('anonymous', 'OK INFO', 'CLOSED INFO'),
        change(null, 'OPEN ERROR', 'OK INFO'),
        change(null, 'ACKNOWLEDGED WARN', 'OPEN ERROR'),
        change('ann', 'OPEN WARN', 'ACKNOWLEDGED WARN'),
      ],
    },
  })
})

const SET_ALL = `mutation ($input: SetEventStatusesInput!) {
  setEventStatuses(input: $input) {
    id: eventId outcome event { status statusHistory { nodes { changedBy toStatus comment } } } } }`

test('several events change at once, each with a result of its own and the comment in its history', async () => {
  const titles = ['bulk one', 'bulk two', 'bulk three']
  const { accepted } = await events.ingest(titles.map((title) => ({ title, status: 'OPEN' })))
  const [one, two, three] = accepted.map(({ id }: { id: string }) => id)
  await events.run(SET, { id: two, status: 'CLOSED' }, 'ann')
  const unknown = '00000000-0000-8000-8000-000000000000'
  const ids = [one, unknown, two, 'nothing', three, one]
  const { setEventStatuses } = await events.run(
    SET_ALL,
    { input: { ids, status: 'CLOSED' } },
    'bob',
  )
  expect(setEventStatuses.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'CHANGED',
    'NOT_FOUND',
    'UNCHANGED',
    'NOT_FOUND',
    'CHANGED',
    'CHANGED',
  ])
  expect(setEventStatuses[1].event).toBeNull()
  await events.run(SET_ALL, { input: { ids: [one, two, three], status: 'CLOSED' } }, 'bob') // changes nothing
  const audited = await events.sql(
    `select target from audit.entry where action = 'setEventStatuses' order by target`,
  )
  expect(audited).toEqual([one, three].toSorted().map((target) => ({ target })))
  const again = await events.run(
    SET_ALL,
    { input: { ids: [one, two], status: 'CLOSED', comment: ' disk replaced ' } },
    'bob',
  )
  const commented = { changedBy: 'bob', toStatus: 'CLOSED', comment: 'disk replaced' }
  const plain = (changedBy: string) => ({ changedBy, toStatus: 'CLOSED', comment: null })
  expect(again.setEventStatuses).toEqual([
    {
      id: one,
      outcome: 'CHANGED',
      event: { status: 'CLOSED', statusHistory: { nodes: [commented, plain('bob')] } },
    },
    {
      id: two,
      outcome: 'CHANGED',
      event: { status: 'CLOSED', statusHistory: { nodes: [commented, plain('ann')] } },
    },
  ])
})

test.each([
  [{ ids: [] }, 'ids: expected 1 to 1000 events'],
  [{ ids: Array(1_001).fill('x') }, 'ids: expected 1 to 1000 events'],
  [{ ids: ['x'], comment: 'c'.repeat(2_001) }, 'comment: expected at most 2000 characters'],
  [{ ids: ['x'], comment: 'a\0b' }, 'comment: expected at most 2000 characters'],
])('a change that cannot be is refused as a whole', async (input, message) => {
  const { errors } = await events.answer(SET_ALL, { input: { status: 'OK', ...input } })
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining(message),
    extensions: { code: 'BAD_USER_INPUT' },
  })
})

test.each(['nobody', '00000000-0000-8000-8000-000000000000'])(
  'the unknown event %s is not found',
  async (id) => {
    const { errors } = await events.answer(SET, { id, status: 'OK' })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' })
  },
)

test('days of raw events are ready a week ahead, and those past the retention time are dropped', async () => {
  const days = async () =>
    (
      await events.sql(
        `select relname from pg_class where relname like 'raw\\_event\\_2%' and relkind = 'r' order by 1`,
      )
    ).map(({ relname }) => relname.slice(-8))
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  expect(await days()).toEqual(
    [-1, 0, 1, 2, 3, 4, 5, 6, 7].map((offset) => day(offset).replaceAll('-', '')),
  )
  const attach = (offset: number) =>
    events.sql(
      `create table events.raw_event_${day(offset).replaceAll('-', '')} partition of events.raw_event
       for values from ('${day(offset)} 00:00:00+00') to ('${day(offset + 1)} 00:00:00+00')`,
    )
  await attach(-3)
  await attach(-4)
  const restarted = await runEvents({ retentionDays: 3 }, events.url)
  await restarted.stop()
  const present = await days()
  expect(present).toContain(day(-3).replaceAll('-', ''))
  expect(present).not.toContain(day(-4).replaceAll('-', ''))
})

const ASSIGN = `mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) {
  status assignee ticket statusHistory { nodes { changedBy fromStatus toStatus comment } } } }`

test('an event is assigned, gets a ticket and a comment without a change of status, and its history says so', async () => {
  const { accepted } = await events.ingest([{ title: 'assigned', status: 'OPEN' }])
  const { id } = accepted[0]
  const set = async (input: object, user = 'ann') =>
    (await events.run(ASSIGN, { input: { id, ...input } }, user)).setEventStatus
  await set({ status: 'ACKNOWLEDGED', assignee: ' bob ', ticket: 'OPS-1' })
  await set({ assignee: 'bob' }) // as it is
  // The status of now stays, whatever a caller has seen.
  await events.ingest([{ title: 'assigned', status: 'OK' }])
  await set({ comment: 'Seen before' })
  const last = await set({ assignee: null, comment: 'Left' }, 'bob')
  const by = (
    changedBy: string | null,
    fromStatus: string,
    toStatus: string,
    comment: unknown,
  ) => ({
    ...{ changedBy, fromStatus, toStatus, comment },
  })
  expect(last).toEqual({
    ...{ status: 'OK', assignee: null, ticket: 'OPS-1' },
    statusHistory: {
      nodes: [
        by('bob', 'OK', 'OK', 'Assigned to none. Left'),
        by('ann', 'OK', 'OK', 'Seen before'),
        by(null, 'ACKNOWLEDGED', 'OK', null),
        by('ann', 'OPEN', 'ACKNOWLEDGED', 'Assigned to bob. Ticket OPS-1'),
      ],
    },
  })
  await set({ assignee: 'eve' })
  await events.ingest([{ title: 'assigned to none', status: 'OPEN' }])
  const found = async (query: string) =>
    (
      await events.run('query ($query: String) { events(query: $query) { nodes { title } } }', {
        query,
      })
    ).events.nodes.map(({ title }: { title: string }) => title)
  for (const query of [
    ...['assignee:eve', 'assignee:e*', 'ticket:"OPS-1"', 'comment:"seen BEFORE"'],
    ...[
      'comment:*seen*',
      '_exists_:assignee AND title:assigned',
      '-_exists_:comment AND title:none',
    ],
  ])
    expect([query, await found(query)]).toEqual([
      ...[query, [query.startsWith('-') ? 'assigned to none' : 'assigned']],
    ])
  expect(await found('assignee:bob')).toEqual([])
  const wrong: [object, RegExp][] = [
    [{}, /^expected a status, a comment, an assignee or a ticket/],
    [{ assignee: 'a'.repeat(201) }, /^assignee: expected at most 200/],
    [{ ticket: 'a\0' }, /^ticket: /],
  ]
  for (const [input, message] of wrong) {
    const { errors } = await events.answer(ASSIGN, { input: { id, ...input } })
    expect(errors?.[0]?.message).toMatch(message)
  }
})

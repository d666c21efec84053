import { setTimeout as delay } from 'node:timers/promises'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

/** timesSeen, raw events and counted minutes of an event: always equal. */
async function countsOf(title: string): Promise<Data> {
  const [counts] = await events.sql(
    `select event.times_seen::int as seen,
       (select count(*)::int from events.raw_event where event_id = event.id) as raw,
       (select sum(occurrences)::int from events.event_minute where event_id = event.id) as minutes
     from events.event where title = $1`,
    [title],
  )
  return counts
}

test('one item that the database refuses is that item’s error and nobody else’s', async () => {
  await events.sql(`alter table events.event add constraint test check (title not like 'poison%')`)
  const [single, mixed, poisoned] = await Promise.all([
    events.ingest([{ title: 'neighbour' }]),
    events.ingest([
      { title: 'good 1' },
      { title: 'poison 1' },
      {},
      { title: 'good 2' },
      { title: 'poison 2' },
    ]),
    events.ingest([{ title: 'poison 3' }]),
  ])
  await events.sql('alter table events.event drop constraint test')
  expect(single).toMatchObject({ success: 'ALL' })
  expect(mixed.accepted.map(({ index }: Data) => index)).toEqual([0, 3])
  expect(mixed.errors).toEqual([
    { index: 1, message: 'The event holds a value that cannot be stored' },
    { index: 2, message: 'The required field was missing: [title]' },
    { index: 4, message: 'The event holds a value that cannot be stored' },
  ])
  expect(poisoned).toMatchObject({ success: 'NONE', sent: 0 })
  expect(await countsOf('neighbour')).toEqual({ seen: 1, raw: 1, minutes: 1 })
})

test('connections that are lost under load cost no acknowledged event and count none twice', async () => {
  let answers = 0
  let kills = 0
  const clients = Array.from({ length: 20 }, async (_, client) => {
    while (kills < 20) {
      const result = await events.ingest([{ title: 'survivor' }, { title: `survivor ${client}` }])
      expect(result.sent).toBe(2)
      answers++
    }
  })
  // On a slow machine a transaction takes long: only when some have ended, the next one is hit.
  for (let answered = -1; kills < 20; await delay(1)) {
    if (answers === answered) continue
    const before = answers
    const killed = await events.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = '' and pid <> pg_backend_pid()
         and backend_xid is not null`,
    )
    if (killed.length > 0) answered = before
    kills += killed.length
  }
  await Promise.all(clients)
  expect(await countsOf('survivor')).toEqual({ seen: answers, raw: answers, minutes: answers })
})

test('two processes that write the same events count every occurrence', async () => {
  const other = await runEvents({}, events.url)
  const titles = ['p', 'q', 'r', 's', 't']
  await Promise.all(
    Array.from({ length: 100 }, (_, request) =>
      (request % 2 ? events : other).ingest(
        titles.map((_, position) => ({ title: titles[(position + request) % 5] })),
      ),
    ),
  )
  await other.stop()
  for (const title of titles)
    expect(await countsOf(title)).toEqual({ seen: 100, raw: 100, minutes: 100 })
  const [{ first }] = await events.sql(
    `select count(*)::int as first from events.raw_event where is_new and title = any ($1)`,
    [titles],
  )
  expect(first).toBe(5)
})

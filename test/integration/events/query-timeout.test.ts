import pg from 'pg'
import { type RunningEvents, runEvents } from './_support/running-events.ts'

let events: RunningEvents
let keeper: pg.Client
beforeAll(async () => {
  events = await runEvents({ queryTimeoutMs: 200 })
  await events.ingest([{ title: 'Disk full' }])
  keeper = new pg.Client(events.url)
  await keeper.connect()
})
afterAll(async () => {
  await keeper.end()
  await events.stop()
})

test.each([
  ['events', '{ events(query: "x") { nodes { title } } }'],
  ['rawEvents', '{ rawEvents { nodes { title } totalCount } }'],
  ['eventHistogram', '{ eventHistogram(interval: DAY) { occurrences } }'],
])('%s that take too long are ended, and told what to do', async (field, operation) => {
  await keeper.query('begin; lock table events.event, events.raw_event, events.event_minute')
  const { errors } = await events.answer(operation).finally(() => keeper.query('rollback'))
  const extensions = { code: 'OVERLOADED', retryAfterSeconds: expect.any(Number) }
  expect(errors).toMatchObject([{ path: [field], extensions }])
  expect(errors?.[0]?.message).toMatch(
    /statement of the query took longer than 200 ms \(EVENTS_QUERY_TIMEOUT_MS\)\. Try again later, or narrow it/,
  )
  await events.run(operation)
})

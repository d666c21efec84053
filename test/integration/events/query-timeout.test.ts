import pg from 'pg'
import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { eventually } from '../../support/eventually.ts'
import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

let events: RunningEvents
let keeper: pg.Client
let bridge: ServedBridge
beforeAll(async () => {
  events = await runEvents({ queryTimeoutMs: 200 })
  await events.ingest([{ title: 'Disk full' }])
  keeper = new pg.Client(events.url)
  await keeper.connect()
  bridge = await serveBridge((operation, variables) => events.answer(operation, { ...variables }))
})
afterAll(async () => {
  await bridge.stop()
  await keeper.end()
  await events.stop()
})

/** Nothing can be read meanwhile. */
async function whileLocked<Result>(run: () => Promise<Result>): Promise<Result> {
  // Raw events first, as the indexer reads them.
  await keeper.query('begin; lock table events.raw_event, events.event, events.event_minute')
  return run().finally(() => keeper.query('rollback'))
}

test.each([
  ['events', '{ events(query: "x") { nodes { title } } }'],
  ['rawEvents', '{ rawEvents { nodes { title } totalCount } }'],
  ['eventHistogram', '{ eventHistogram(interval: DAY) { occurrences } }'],
])('%s that take too long are ended, and told what to do', async (field, operation) => {
  const { errors } = await whileLocked(() => events.answer(operation))
  const extensions = { code: 'OVERLOADED', retryAfterSeconds: expect.any(Number) }
  expect(errors).toMatchObject([{ path: [field], extensions }])
  expect(errors?.[0]?.message).toMatch(
    /statement of the query took longer than 200 ms \(EVENTS_QUERY_TIMEOUT_MS\)\. Try again later, or narrow it/,
  )
  // A slow machine may take longer for once.
  await eventually(() => events.run(operation))
})

test.each(['/v1/events?q=x', '/v1/events/raw'])(
  'GET %s that takes too long is 503 with Retry-After',
  async (path) => {
    const answer = await whileLocked(() => fetch(bridge.base + path))
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({
      code: 'OVERLOADED',
      message: expect.stringContaining('EVENTS_QUERY_TIMEOUT_MS'),
    })
    await eventually(async () => expect((await fetch(bridge.base + path)).status).toBe(200))
  },
)

import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

let events: RunningEvents
let bridge: ServedBridge
beforeAll(async () => {
  events = await runEvents()
  bridge = await serveBridge((operation, variables) => events.answer(operation, { ...variables }))
})
afterAll(async () => {
  await bridge?.stop()
  await events?.stop()
})

interface Result {
  sent: number
  success: string
  errors?: { index: number; message: string }[]
}

/** Sends a body in chunks, each of which arrives before the next one is sent. */
async function post(body: string, chunkBytes: number, key = 'nightly'): Promise<Result> {
  const sent = request(`${bridge.base}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  })
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    sent.write(bytes.subarray(at, at + chunkBytes))
    await new Promise(setImmediate)
  }
  sent.end()
  const [response] = await once(sent, 'response')
  return JSON.parse(await text(response)).result
}

test('a large call that failed halfway stores each event once when it is repeated in other chunks', async () => {
  await events.sql(`create function events.fail() returns trigger language plpgsql as
    $$ begin raise exception 'injected'; end $$`)
  await events.sql(`create trigger fail before insert on events.answered_request
    for each row when (new.key like 'part 2 of %') execute function events.fail()`)
  const COUNT = 400
  const message = 'x'.repeat(10_000)
  // White space of several chunks makes the boundaries of what arrives differ from those of what is meant.
  const items = Array.from({ length: COUNT }, (_, n) => JSON.stringify({ title: `n${n}`, message }))
  const body = `[${' '.repeat(300_000)}${items.join(`,${' '.repeat(2_000)}`)}]`

  const first = await post(body, 200_000)
  expect(first.success).toBe('partial')
  expect(first.sent).toBeGreaterThan(0)
  const messages = new Set(first.errors?.map((error) => error.message.slice(0, 24)))
  expect(messages).toEqual(new Set(['It is unknown whether th', 'The event was not stored']))

  await events.sql('drop trigger fail on events.answered_request')
  expect(await post(body, 1_500)).toMatchObject({ sent: COUNT })
  const [stored] = await events.sql(
    'select count(*)::int as rows, count(distinct title)::int as titles from events.raw_event',
  )
  expect(stored).toEqual({ rows: COUNT, titles: COUNT })
})

test('a large call whose first parts have no sound event is repeated under its key, and another call is refused', async () => {
  const unsound = Array(2_500).fill('{}').join()
  const body = `[${unsound},{"title":"sound"}]`
  const first = await post(body, 200_000, 'unsound first')
  expect(first).toMatchObject({ sent: 1, accepted: [{ index: 2_500 }] })
  expect(first.errors).toHaveLength(2_500)
  expect(await post(body, 200_000, 'unsound first')).toEqual(first)
  const [stored] = await events.sql(
    `select count(*)::int as rows from events.raw_event where title = 'sound'`,
  )
  expect(stored).toEqual({ rows: 1 })
  expect(await post(`[${unsound},{"title":"other"}]`, 200_000, 'unsound first')).toEqual({
    sent: 0,
    success: 'false',
    errors: [{ index: 0, message: 'This idempotency key came with another request' }],
  })
})

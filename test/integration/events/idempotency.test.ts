import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

const timesSeen = async (id: string): Promise<number> =>
  (await events.run('query ($id: ID!) { event(id: $id) { timesSeen } }', { id })).event.timesSeen

test('the same key gets the first answer again, and nothing is counted twice', async () => {
  const items = [{ title: 'once' }, {}]
  const first = await events.ingest(items, { idempotencyKey: 'a' })
  const second = await events.ingest(items, { idempotencyKey: 'a' })
  expect(first).toMatchObject({ replayed: false, success: 'PARTIAL' })
  expect(second).toEqual({ ...first, replayed: true })
  expect(await timesSeen(first.accepted[0].id)).toBe(1)
})

test('a second call that comes meanwhile waits for the first one’s answer', async () => {
  const other = await runEvents({}, events.url)
  const calls = await Promise.all(
    Array.from({ length: 20 }, (_, call) =>
      (call % 2 ? events : other).ingest([{ title: 'together' }], { idempotencyKey: 'b' }),
    ),
  )
  await other.stop()
  expect(calls.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(await timesSeen(calls[0].accepted[0].id)).toBe(1)
})

test('the same key with another request is refused', async () => {
  await events.ingest([{ title: 'one' }], { idempotencyKey: 'c' })
  await expect(events.ingest([{ title: 'two' }], { idempotencyKey: 'c' })).rejects.toMatchObject({
    extensions: { code: 'IDEMPOTENCY_MISMATCH' },
  })
  const digest = { idempotencyKey: 'd', idempotencyDigest: 'x' }
  await events.ingest([{ title: 'one' }], digest)
  expect(await events.ingest([{ title: 'one', extra: 1 }], digest)).toMatchObject({
    replayed: true,
  })
})

test('keys of different accounts do not meet', async () => {
  const INGEST = `mutation { ingestEvents(input: { events: [{ title: "shared" }], idempotencyKey: "e" }) { replayed } }`
  expect((await events.run(INGEST, {}, 'ann')).ingestEvents.replayed).toBe(false)
  expect((await events.run(INGEST, {}, 'bob')).ingestEvents.replayed).toBe(false)
  expect((await events.run(INGEST, {}, 'ann')).ingestEvents.replayed).toBe(true)
})

test('keys of two subjects with one name do not meet, and those of the version before hold', async () => {
  const ingest = async (idempotencyKey: string, subject?: string) => {
    const user =
      subject === undefined ? 'ann' : { user: 'ann', subject: `https://id.example\n${subject}` }
    const input = { events: [{ title: 'one name' }], idempotencyKey }
    const document =
      'mutation ($input: IngestEventsInput!) { ingestEvents(input: $input) { replayed } }'
    return (await events.run(document, { input }, user)).ingestEvents.replayed
  }
  expect(await ingest('s', 'u1')).toBe(false)
  expect(await ingest('s', 'u2')).toBe(false)
  expect(await ingest('s')).toBe(false)
  expect(await ingest('s', 'u1')).toBe(true)
  expect(await ingest('t')).toBe(false)
  expect(await ingest('t', 'u1')).toBe(true)
})

test('a request of which nothing was accepted does not use up its key', async () => {
  await events.ingest([{}], { idempotencyKey: 'f' })
  expect(await events.ingest([{ title: 'now' }], { idempotencyKey: 'f' })).toMatchObject({
    replayed: false,
    sent: 1,
  })
})

test('a key that was answered refuses another request, also one without a sound event', async () => {
  await events.ingest([{ title: 'sound' }], { idempotencyKey: 'h' })
  await expect(events.ingest([{}], { idempotencyKey: 'h' })).rejects.toMatchObject({
    extensions: { code: 'IDEMPOTENCY_MISMATCH' },
  })
})

test('a key is forgotten after 24 hours', async () => {
  const first = await events.ingest([{ title: 'daily' }], { idempotencyKey: 'g' })
  await events.sql(
    `update events.answered_request set answered_at = now() - interval '25 hours' where key = 'g'`,
  )
  expect(await events.ingest([{ title: 'weekly' }], { idempotencyKey: 'g' })).toMatchObject({
    replayed: false,
  })
  expect(await timesSeen(first.accepted[0].id)).toBe(1)
})

test.each(['', 'a\0b', 'x'.repeat(256)])('the key %j is refused', async (idempotencyKey) => {
  await expect(events.ingest([{ title: 'T' }], { idempotencyKey })).rejects.toMatchObject({
    extensions: { code: 'BAD_USER_INPUT' },
  })
})

test('an occurrence with a key counts once for its event, also in another process and in one call', async () => {
  const alert = { title: 'keyed', status: 'OPEN' }
  const occurrenceKeys = ['OPEN 10:00', null, 'OPEN 10:00']
  const first = await events.ingest([alert, { title: 'plain' }, alert], { occurrenceKeys })
  expect(first).toMatchObject({ success: 'ALL', sent: 3 })
  const [{ id }, plain] = first.accepted
  const other = await runEvents({}, events.url)
  const again = await other.ingest([alert, { title: 'plain' }], { occurrenceKeys })
  await other.stop()
  expect(again).toEqual({ ...first, sent: 2, accepted: first.accepted.slice(0, 2) })
  expect([await timesSeen(id), await timesSeen(plain.id)]).toEqual([1, 2])
  await events.ingest([alert, { title: 'other' }], { occurrenceKeys: ['OPEN 11:00', 'OPEN 10:00'] })
  expect(await timesSeen(id)).toBe(2)
})

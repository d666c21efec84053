import pg from 'pg'
import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents({ queryTimeoutMs: 60_000 })
})
afterAll(() => events?.stop())

const LISTS = 40

test('a flood of slow lists leaves connections for ingestion', async () => {
  await events.ingest([{ title: 'before' }])
  // Lists look words up in this table, and ingestion writes it later.
  const lock = new pg.Client({ connectionString: events.url })
  await lock.connect()
  await lock.query('begin; lock table events.event_search in access exclusive mode')
  let settled = 0
  const lists = Array.from({ length: LISTS }, async () => {
    const { errors } = await events.answer('{ events(query: "slow") { nodes { id } } }')
    settled++
    return errors?.[0]?.extensions.code
  })
  try {
    const { success } = await events.ingest([{ title: 'meanwhile' }])
    expect({ success, settled }).toEqual({ success: 'ALL', settled: 0 })
  } finally {
    await lock.query('rollback')
    await lock.end()
  }
  const codes = new Set(await Promise.all(lists))
  codes.delete('OVERLOADED')
  expect([...codes]).toEqual([undefined])
})

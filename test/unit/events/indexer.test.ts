import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { Indexer, SearchLag } from '../../../subgraphs/events/read/index/indexer.ts'
import { eventually } from '../../support/eventually.ts'

/** An indexer of events that a test stores, each part of which takes as long as given. */
function startIndexer({
  tookMs = 0,
  busyMs = (): number => 0,
  max = 1_000_000,
  lagSeconds = 0,
} = {}) {
  const stored = { events: 0 }
  const parts: { limit: number; at: number }[] = []
  const filled: (() => void)[] = []
  const fill = async (limit: number) => {
    parts.push({ limit, at: performance.now() })
    await delay(tookMs)
    const indexed = Math.min(limit, stored.events)
    stored.events -= indexed
    for (const resolve of filled.splice(0)) resolve()
    return { indexed, isAll: indexed < limit, left: stored.events, lagSeconds }
  }
  const indexer = new Indexer(
    { fill, cancel: async () => {} },
    new SearchLag(max),
    [() => 0, busyMs],
    pino({ level: 'silent' }),
  )
  indexer.start()
  const nextPart = () => new Promise<void>((resolve) => filled.push(resolve))
  return { indexer, stored, parts, nextPart }
}

// Tests with an upper bound of time repeat until one try meets it: other tests use the machine, too.

test('what is stored while nothing is left to index wakes the indexer', () =>
  eventually(async () => {
    const { indexer, stored, parts, nextPart } = startIndexer()
    await nextPart()
    await delay(300)
    stored.events = 5
    const began = performance.now()
    indexer.noteStored()
    await nextPart()
    await indexer.stop()
    expect((parts.at(-1)?.at ?? 0) - began).toBeLessThan(500)
    expect(stored.events).toBe(0)
  }))

test('a burst after a calm is met with a small part', async () => {
  let burstAt = Infinity
  const { indexer, stored, parts, nextPart } = startIndexer({
    busyMs: () => Math.max(0, performance.now() - burstAt),
  })
  await nextPart()
  await delay(300)
  const [{ limit: whenCalm } = { limit: 0 }] = parts
  stored.events = 100_000
  burstAt = performance.now()
  indexer.noteStored()
  await nextPart()
  await indexer.stop()
  expect(parts.at(-1)?.limit).toBeLessThan(whenCalm / 10)
})

test('while requests wait for a writer all the time, indexing takes a small share of it in small parts', async () => {
  const { indexer, stored, parts, nextPart } = startIndexer({
    tookMs: 20,
    busyMs: () => performance.now(),
  })
  stored.events = 100_000
  for (let part = 0; part < 3; part++) await nextPart()
  await indexer.stop()
  const [, second, third] = parts
  expect(second?.limit).toBeLessThan(parts[0]?.limit ?? 0)
  expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThan(300)
})

test('while ingestion rests for half of the time, indexing never pauses', () =>
  eventually(async () => {
    const { indexer, stored, parts, nextPart } = startIndexer({
      tookMs: 50,
      busyMs: () => performance.now() / 3,
    })
    stored.events = 100_000
    for (let part = 0; part < 4; part++) await nextPart()
    await indexer.stop()
    expect((parts[3]?.at ?? 0) - (parts[0]?.at ?? 0)).toBeLessThan(300)
  }))

test.each([
  ['of many events', { max: 10_000 }],
  ['of many seconds', { lagSeconds: 10 }],
])('a lag %s ends that', async (_, lag) => {
  const { indexer, stored, parts, nextPart } = startIndexer({
    tookMs: 20,
    busyMs: () => performance.now(),
    ...lag,
  })
  stored.events = 100_000
  for (let part = 0; part < 3; part++) await nextPart()
  await indexer.stop()
  expect(new Set(parts.map(({ limit }) => limit)).size).toBe(1)
})

test('a lag of three seconds counts in a load that lasts, and not in a burst', async () => {
  const { indexer, stored, parts, nextPart } = startIndexer({
    tookMs: 20,
    busyMs: () => performance.now(),
    lagSeconds: 3,
  })
  stored.events = 400_000
  for (let part = 0; part < 3; part++) await nextPart()
  const inBurst = parts.at(-1)?.limit
  await delay(12_500)
  const inLoad = parts.at(-1)?.limit
  await indexer.stop()
  expect(inLoad).toBeGreaterThan(inBurst ?? Infinity)
})

test('a stop ends a part that takes long', async () => {
  const running = Promise.withResolvers<never>()
  const rows = {
    fill: () => running.promise,
    cancel: async () => running.reject(Object.assign(new Error(), { code: '57014' })),
  }
  const faults: unknown[] = []
  const log = pino({}, { write: (line: string) => faults.push(line) })
  const indexer = new Indexer(rows, new SearchLag(1_000_000), [() => 0], log)
  indexer.start()
  await indexer.stop()
  expect(faults).toEqual([])
})

import fc from 'fast-check'
import { countOccurrence, firstState } from '../../../subgraphs/events/ingestion/event-state.ts'
import type { Occurrence } from '../../../subgraphs/events/ingestion/occurrence.ts'
import { validate } from '../../../subgraphs/events/ingestion/validate.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

/** Any JSON; often an object with the fields of an event, filled with anything. */
const anyItem = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.record(
    {
      title: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', 'b'), fc.jsonValue()),
      message: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      severity: fc.oneof(fc.constantFrom('info', 'ERROR', 'DOWN'), fc.jsonValue()),
      status: fc.oneof(fc.constantFrom('OPEN', 'ok', 'x'), fc.jsonValue()),
      tags: fc.oneof(fc.array(fc.string({ unit: 'binary' })), fc.jsonValue()),
      fingerprintFields: fc.oneof(
        fc.array(fc.constantFrom('@title', 'k', '__proto__')),
        fc.jsonValue(),
      ),
      properties: fc.oneof(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
        fc.jsonValue(),
      ),
      source: fc.oneof(fc.record({ ref: fc.string(), type: fc.jsonValue() }), fc.jsonValue()),
      createdAt: fc.oneof(fc.date().map(String), fc.integer(), fc.double(), fc.string()),
      eventClass: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
)

test('whatever is sent, each item is either accepted or refused, and nothing breaks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyItem, { minLength: 1, maxLength: 20 }), async (items) => {
      const { sent, success, accepted, errors } = await events.ingest(items)
      expect(sent + errors.length).toBe(items.length)
      expect(sent).toBe(accepted.length)
      const positions = [...accepted, ...errors].map(({ index }) => index)
      expect(positions.toSorted((a, b) => a - b)).toEqual([...items.keys()])
      expect(success).toBe(sent === 0 ? 'NONE' : errors.length === 0 ? 'ALL' : 'PARTIAL')
    }),
    { numRuns: 150 },
  )
})

const AT = Date.parse('2026-01-01T00:00:00Z')
/** Times are distinct, so that the order of receipt, which concurrency leaves open, decides nothing. */
const batches = fc
  .array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      status: fc.constantFrom('OPEN', 'OK', 'CLOSED', 'ACKNOWLEDGED'),
      severity: fc.constantFrom('INFO', 'WARN', 'ERROR', 'CRITICAL'),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .chain((items) =>
    fc.shuffledSubarray([...items.keys()], { minLength: items.length }).map((order) =>
      items.map((item, position) => ({
        ...item,
        createdAt: new Date(AT + (order[position] ?? 0) * 1000).toISOString(),
      })),
    ),
  )

test('concurrent batches end with the counts and the content of a replay one by one', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 1, max: 5 }), async (sent, size) => {
      run++
      const items = sent.map((item) => ({
        ...item,
        title: `${item.status} at ${item.createdAt}`,
        fingerprintFields: ['key'],
        source: { ref: `run ${run}` },
        properties: { key: item.key },
      }))
      const groups = Map.groupBy(items.keys(), (index) => Math.floor(index / size))
      await Promise.all(
        [...groups.values()].map((indices) => events.ingest(indices.map((index) => items[index]))),
      )
      const stored = await events.sql(
        `select properties ->> 'key' as key, title, severity, times_seen::int as "timesSeen", first_seen_at as "firstSeenAt",
           last_seen_at as "lastSeenAt" from events.event where source_ref = $1 order by 1`,
        [`run ${run}`],
      )
      expect(stored).toEqual(replay(items))
    }),
    { numRuns: 60 },
  )
})

function replay(items: readonly object[]): Data[] {
  const occurrences = items.map((item): Occurrence => {
    const verdict = validate(item, new Date())
    if ('error' in verdict) throw new Error(verdict.error)
    return verdict.occurrence
  })
  return [...Map.groupBy(occurrences, ({ properties }) => String(properties.key))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, [first, ...others]]) => {
      if (!first) throw new Error('a group is never empty')
      const state = firstState(first)
      for (const occurrence of others) countOccurrence(state, occurrence)
      const { severity, timesSeen, firstSeenAt, lastSeenAt, latest } = state
      return { key, title: latest?.title, severity, timesSeen, firstSeenAt, lastSeenAt }
    })
}

import fc from 'fast-check'
import { MergedOperations } from '../../../gateway/http/rest/bulk.ts'
import type { IngestionData, IngestionOutcome } from '../../../rest-bridge/ingestion/parts.ts'

/** Judges as the graph does: numbers are stored, anything else is refused. */
function judge(events: readonly unknown[]): IngestionData['ingestEvents'] {
  const accepted: { index: number; id: string }[] = []
  const errors: { index: number; message: string }[] = []
  events.forEach((event, index) => {
    if (typeof event === 'number') accepted.push({ index, id: `e-${event}` })
    else errors.push({ index, message: `not ${event}` })
  })
  const success = errors.length === 0 ? 'ALL' : accepted.length === 0 ? 'NONE' : 'PARTIAL'
  return { sent: accepted.length, success, accepted, errors, replayed: false }
}

let asked: { events: unknown[]; caller: string }[]
const merging = (answer: (events: unknown[]) => Promise<IngestionOutcome>) => {
  asked = []
  return new MergedOperations<string>(
    (events, caller) => {
      asked.push({ events, caller })
      return answer(events)
    },
    (caller) => caller,
  )
}
const judging = () => merging(async (events) => ({ data: { ingestEvents: judge(events) } }))

test('whatever arrives together, each request gets the answer that it would get alone', async () => {
  const event = fc.oneof(fc.nat(), fc.constant('bad'))
  const request = fc.record({
    caller: fc.constantFrom('a', 'b'),
    events: fc.array(event, { minLength: 1, maxLength: 300 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 30 }), async (requests) => {
      const merged = judging()
      const outcomes = await Promise.all(
        requests.map(({ events, caller }) => merged.ingest(events, caller)),
      )
      expect(outcomes).toEqual(
        requests.map(({ events }) => ({ data: { ingestEvents: judge(events) } })),
      )
      expect(asked.every(({ events }) => events.length <= 1_000)).toBe(true)
      for (const caller of ['a', 'b'])
        expect(asked.flatMap((one) => (one.caller === caller ? one.events : []))).toEqual(
          requests.flatMap((one) => (one.caller === caller ? one.events : [])),
        )
    }),
  )
})

test('requests of one turn are one operation for each caller, later ones another', async () => {
  const merged = judging()
  const first = Promise.all([
    merged.ingest([1], 'a'),
    merged.ingest([2], 'b'),
    merged.ingest([3], 'a'),
  ])
  await first
  await merged.ingest([4], 'a')
  expect(asked).toEqual([
    { events: [1, 3], caller: 'a' },
    { events: [2], caller: 'b' },
    { events: [4], caller: 'a' },
  ])
})

test('an operation that fails, fails each of its requests', async () => {
  const error = new Error('away')
  const failing = merging(() => Promise.reject(error))
  const outcomes = await Promise.allSettled([failing.ingest([1], 'a'), failing.ingest([2], 'a')])
  expect(outcomes).toEqual([
    { status: 'rejected', reason: error },
    { status: 'rejected', reason: error },
  ])
  const refusing = merging(async () => ({ data: null, errors: [] }))
  const refused = await Promise.all([refusing.ingest([1], 'a'), refusing.ingest([2], 'a')])
  expect(refused).toEqual([
    { data: null, errors: [] },
    { data: null, errors: [] },
  ])
})

import { EventStream } from '../../../subgraphs/events/stream/event-stream.ts'
import type { StreamPart } from '../../../subgraphs/events/stream/stream.repository.ts'
import type { StoredRawEvent } from '../../../subgraphs/events/tables/raw-event.entity.ts'

const raw = (id: number) =>
  ({
    id: String(id),
    eventId: 'e',
    receivedAt: new Date(),
    isNew: false,
  }) as StoredRawEvent

/** A stream of endless occurrences, of which `isKept` tells whether they are still there. */
function streamOf(isKept: () => boolean, stallMs: number) {
  let next = 0
  let reads = 0
  const stream = new EventStream(
    {
      async read(): Promise<StreamPart> {
        reads++
        const rows = [raw(next++), raw(next++)]
        return { rows, next: { id: String(next), readUpTo: null }, rest: 'more' }
      },
      end: async () => ({ id: '0', readUpTo: null }),
      isKept: async () => isKept(),
    },
    { find: async () => ({}) as never },
    { listen: () => ({ isStopped: false, wait: async () => {}, stop: () => {} }) },
    stallMs,
  )
  return { stream, reads: () => reads }
}

test('a subscriber that takes nothing is told to resume, and costs no more reading', async () => {
  const { stream, reads } = streamOf(() => true, 20)
  const items = (await stream.open({}))[Symbol.asyncIterator]()
  const first = await items.next()
  expect(first.value.cursor).toEqual(expect.any(String))
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(reads()).toBe(1)
  const left = async () => {
    for (;;) await items.next().then(({ done }) => expect(done).toBe(false))
  }
  await expect(left()).rejects.toMatchObject({ code: 'SLOW_CONSUMER' })
})

test('a subscriber that lags behind the retention time is told so, not led past what is dropped', async () => {
  let isKept = true
  const { stream } = streamOf(() => isKept, 1_000)
  const items = (await stream.open({}))[Symbol.asyncIterator]()
  await items.next()
  isKept = false
  const left = async () => {
    for (;;) await items.next().then(({ done }) => expect(done).toBe(false))
  }
  await expect(left()).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' })
})

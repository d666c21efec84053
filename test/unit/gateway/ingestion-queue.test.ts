import { IngestionQueue } from '../../../gateway/http/rest/bulk.ts'

test('what waits is counted until it is answered', () => {
  const queue = new IngestionQueue({ queueEvents: 10, queueBytes: 1_000, queueRequests: 2 })
  const first = queue.enter()
  first.addBytes(300)
  first.addEvents(2)
  const second = queue.enter()
  second.addBytes(100)
  expect({ bytes: queue.bytes.held, events: queue.events.held }).toEqual({ bytes: 400, events: 2 })
  first.leave()
  expect({ bytes: queue.bytes.held, events: queue.events.held }).toEqual({ bytes: 100, events: 0 })
  second.leave()
  expect({ bytes: queue.bytes.held, events: queue.events.held }).toEqual({ bytes: 0, events: 0 })
})

test('no more requests wait than may, and one that left twice gives back one place', () => {
  const queue = new IngestionQueue({ queueEvents: 10, queueBytes: 1_000, queueRequests: 2 })
  const [first] = [queue.enter(), queue.enter()]
  expect(() => queue.enter()).toThrow('EVENTS_QUEUE_REQUESTS is 2')
  first?.leave()
  first?.leave()
  queue.enter()
  expect(() => queue.enter()).toThrow('EVENTS_QUEUE_REQUESTS is 2')
})

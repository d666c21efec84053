import {
  DeliveryLoad,
  LOOK_MS,
} from '../../../../../gateway/federation/subscriptions/delivery-load.ts'

/** A process over some windows. @param lateMs by which each look is late @returns how many had to leave in each */
function windows(
  load: DeliveryLoad,
  count: number,
  { busy = 1, lateMs = 0, deliveringMs = 500, subscribers = 1_000 },
): number[] {
  const left: number[] = []
  for (const end = at.now + count * 1_000; at.now < end; ) {
    load.delivered((deliveringMs * (LOOK_MS + lateMs)) / 1_000)
    at.now += LOOK_MS + lateMs
    left.push(load.look({ now: at.now, busy, subscribers }))
  }
  return left.filter((some) => some > 0)
}
const at = { now: 0 }
beforeEach(() => {
  at.now = 10_000
})

test('in a process with room a tenth of the subscribers joins in a second, and all where deliveries are no load', () => {
  const load = new DeliveryLoad()
  windows(load, 3, { busy: 0.7 })
  for (let joined = 0; joined < 100; joined++) {
    expect(load.isFull(1_000)).toBe(false)
    load.joined()
  }
  expect(load.isFull(1_000)).toBe(true)
  windows(load, 1, { busy: 0.7 })
  expect(load.isFull(1_000)).toBe(false)
  windows(load, 2, { busy: 1, deliveringMs: 10 })
  for (let joined = 0; joined < 1_000; joined++) load.joined()
  expect(load.isFull(1_000)).toBe(false)
  windows(load, 2, { busy: 0.4 })
  for (let joined = 0; joined < 1_000; joined++) load.joined()
  expect(load.isFull(1_000)).toBe(false)
})

test('a process without room refuses subscribers, unless it has few', () => {
  const load = new DeliveryLoad()
  windows(load, 3, { busy: 1 })
  expect(load.isFull(1_000)).toBe(true)
  expect(load.isFull(99)).toBe(false)
})

test('a tenth leaves in each second once a busy process was late for three', () => {
  const load = new DeliveryLoad()
  expect(windows(load, 10, { busy: 1, lateMs: 0 })).toEqual([])
  expect(windows(load, 3, { busy: 1, lateMs: 200 }).length).toBeLessThanOrEqual(1)
  expect(windows(load, 2, { busy: 1, lateMs: 200 })).toEqual([100, 100])
  expect(windows(load, 2, { busy: 1, lateMs: 200, subscribers: 99 })).toEqual([])
  expect(windows(load, 2, { busy: 1, lateMs: 0 })).toEqual([])
})

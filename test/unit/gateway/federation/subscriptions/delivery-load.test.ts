import {
  DeliveryLoad,
  LOOK_MS,
} from '../../../../../gateway/federation/subscriptions/delivery-load.ts'

const STREAM = {}

/**
 * A process over some windows.
 * @param lateMs by which each look is late @param deliveringMs of a stream in a second
 * @param fill of its deliveries
 * @returns how many had to leave in each
 */
function windows(
  load: DeliveryLoad,
  count: number,
  { busy = 1, lateMs = 0, deliveringMs = 500, fill = 1, subscribers = 1_000 },
): number[] {
  const left: number[] = []
  for (const end = at.now + count * 1_000; at.now < end; ) {
    load.delivered(STREAM, (deliveringMs * (LOOK_MS + lateMs)) / 1_000, fill)
    at.now += LOOK_MS + lateMs
    left.push(load.look({ now: at.now, busy, subscribers }))
  }
  return left.filter((some) => some > 0)
}
const at = { now: 0 }
beforeEach(() => {
  at.now = 10_000
})

test('in a process with room a fifth of the subscribers joins in a second, and all where deliveries are no load', () => {
  const load = new DeliveryLoad()
  windows(load, 3, { busy: 0.7 })
  for (let joined = 0; joined < 200; joined++) {
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

test('a stream that delivers for most of the time has no room for subscribers, unless it has few', () => {
  const load = new DeliveryLoad()
  windows(load, 3, { deliveringMs: 700 })
  expect(load.isFull(1_000)).toBe(true)
  expect(load.isFull(99)).toBe(false)
  windows(load, 2, { deliveringMs: 500 })
  expect(load.isFull(1_000)).toBe(false)
})

test('a stream that delivers without a pause has room while few events come meanwhile', () => {
  const load = new DeliveryLoad()
  expect(windows(load, 5, { deliveringMs: 1_000, fill: 0.5 })).toEqual([])
  expect(load.isFull(1_000)).toBe(false)
})

test('a process that is late with events of many streams has no room', () => {
  const load = new DeliveryLoad()
  windows(load, 3, { lateMs: 200 })
  expect(load.isFull(1_000)).toBe(true)
})

test.each([
  ['a stream delivers without a pause', { deliveringMs: 950 }],
  ['the process is late', { lateMs: 200 }],
])('a tenth leaves in each second once %s for two', (_, state) => {
  const load = new DeliveryLoad()
  expect(windows(load, 10, {})).toEqual([])
  expect(windows(load, 2, state).length).toBeLessThanOrEqual(1)
  expect(windows(load, 2, state)).toEqual([100, 100])
  expect(windows(load, 2, { ...state, subscribers: 99 })).toEqual([])
  // The last of them reach into the first window without.
  windows(load, 1, {})
  expect(windows(load, 2, {})).toEqual([])
})

import { setImmediate } from 'node:timers/promises'
import { jest } from '@jest/globals'
import {
  Admission,
  type Turn,
} from '../../../subgraphs/test-execution/executions/accept/admission.ts'

/** Those whose turn has come. */
function collect(admission: Admission, count: number): Turn[] {
  const turns: Turn[] = []
  for (let nth = 0; nth < count; nth++) void admission.turn().then((turn) => turns.push(turn))
  return turns
}

test('eight are accepted at a time while workers keep up', async () => {
  const turns = collect(new Admission(async () => 0, 1_000), 20)
  await setImmediate()
  expect(turns).toHaveLength(8)
  turns[0]?.end()
  turns[0]?.end()
  await setImmediate()
  expect(turns).toHaveLength(9)
  while (turns.length < 20) {
    for (const turn of turns) turn.end()
    await setImmediate()
  }
  for (const turn of turns) turn.end()
})

test('with a hundred that wait, one is accepted at a time, after a pause', async () => {
  const admission = new Admission(async () => 100, 1_000)
  const turns = collect(admission, 3)
  while (turns.length === 0) await setImmediate()
  const began = performance.now()
  while (performance.now() - began < 20) await setImmediate()
  expect(turns).toHaveLength(1)
  turns[0]?.end()
  while (turns.length < 2) await setImmediate()
  expect(performance.now() - began).toBeGreaterThan(60)
  expect(turns).toHaveLength(2)
  turns[1]?.end()
  while (turns.length < 3) await setImmediate()
  turns[2]?.end()
})

test('beyond EXECUTIONS_QUEUE they are refused, and told when to come again', async () => {
  const admission = new Admission(async () => 1_000, 1_000)
  await expect(admission.turn()).rejects.toMatchObject({
    code: 'OVERLOADED',
    message: expect.stringContaining('EXECUTIONS_QUEUE'),
    extensions: { retryAfterSeconds: 5 },
  })
})

test('one whose turn does not come in time is refused', async () => {
  const admission = new Admission(async () => 0, 1_000, { burst: 1, overload: 60_000 })
  const turns = collect(admission, 8)
  await setImmediate()
  expect(turns).toHaveLength(8)
  await expect(admission.turn()).rejects.toMatchObject({ code: 'OVERLOADED' })
  for (const turn of turns) turn.end()
})

test('those of a burst wait for longer than those behind others that have waited all the time', async () => {
  jest.useFakeTimers()
  try {
    const admission = new Admission(async () => 0, 1_000)
    const turns = collect(admission, 8)
    await jest.advanceTimersByTimeAsync(0)
    expect(turns).toHaveLength(8)
    const refusedAt: number[] = []
    const wait = () => admission.turn().catch(() => refusedAt.push(performance.now() - began))
    const began = performance.now()
    void wait()
    await jest.advanceTimersByTimeAsync(2_000)
    void wait()
    await jest.advanceTimersByTimeAsync(13_000)
    expect(refusedAt).toEqual([5_000, 15_000])
    void wait()
    await jest.advanceTimersByTimeAsync(15_000)
    expect(refusedAt).toEqual([5_000, 15_000, 30_000])
    for (const turn of turns) turn.end()
  } finally {
    jest.useRealTimers()
  }
})

import { setImmediate } from 'node:timers/promises'
import { Share } from '../../../platform/database/share.ts'

const LONG_MS = 60_000

test('no more run at a time than the share, and the others in turn', async () => {
  const share = new Share('lists', 2, LONG_MS)
  const begun: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const all = gates.map(({ promise }, at) =>
    share.run(async () => {
      begun.push(at)
      await promise
      return at
    }),
  )
  await setImmediate()
  expect(begun).toEqual([0, 1])
  gates[1]?.resolve()
  await setImmediate()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
})

test('a failed one gives its place back', async () => {
  const share = new Share('lists', 1, LONG_MS)
  await expect(share.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await share.run(async () => 'next')).toBe('next')
})

test('one whose turn does not come in time is refused, and takes no later turn', async () => {
  const share = new Share('lists', 1, 1)
  const gate = Promise.withResolvers<void>()
  const first = share.run(() => gate.promise)
  await expect(share.run(async () => 'late')).rejects.toMatchObject({
    code: 'OVERLOADED',
    extensions: { retryAfterSeconds: expect.any(Number) },
  })
  gate.resolve()
  await first
  expect(await share.run(async () => 'next')).toBe('next')
})

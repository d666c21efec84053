import { setTimeout as delay } from 'node:timers/promises'
import { GracePeriod } from '../../../platform/process/grace-period.ts'
import { Releasers, withReleasers } from '../../../platform/process/releasers.ts'

test('what was started last is released first, once, also after a failure', async () => {
  const released: string[] = []
  const releasers = new Releasers()
  releasers.defer(() => released.push('database'))
  releasers.defer(() => Promise.reject(new Error('stuck')))
  releasers.defer(() => released.push('server'))
  await expect(releasers.release()).rejects.toThrow('Shutdown was not clean')
  await releasers.release()
  expect(released).toEqual(['server', 'database'])
})

test('what is released shares one grace period, which begins with the first that asks for it', async () => {
  const left: number[] = []
  const releasers = new Releasers()
  releasers.defer((grace) => left.push(grace.leftMs()))
  releasers.defer(async (grace) => {
    left.push(grace.leftMs())
    await delay(20)
  })
  releasers.defer(() => delay(20))
  await releasers.release(new GracePeriod(1_000))
  const [first = 0, second = 0] = left
  expect(first).toBeCloseTo(1_000)
  expect(second).toBeLessThan(first)
})

test('a grace period that is over leaves nothing', async () => {
  const grace = new GracePeriod(1)
  grace.leftMs()
  await delay(5)
  expect(grace.leftMs()).toBe(0)
})

test('a start that fails half-way undoes what it had started, and tells why it failed', async () => {
  const released: string[] = []
  const start = withReleasers(async (releasers) => {
    releasers.defer(() => released.push('database'))
    throw new Error('port taken')
  })
  await expect(start).rejects.toThrow('port taken')
  expect(released).toEqual(['database'])
})

import { AppError } from '../../../formats/errors.ts'
import { Budget, Limit, Queue } from '../../../platform/load/load.ts'

const tooMany = (most: number) => new AppError('OVERLOADED', `no more than ${most}`)
const held = () => Promise.withResolvers<void>()

describe('a queue', () => {
  /** Work that notes its beginning, and ends when the test says so. */
  function setUp(queue: Queue) {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const run = (name: string, given = {}) => {
      const { promise, resolve } = held()
      const done = queue.run(() => {
        begun.push(name)
        ends.push(resolve)
        return promise
      }, given)
      done.catch(() => {})
      return done
    }
    const endNext = async () => {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    return { begun, run, endNext }
  }

  test('runs up to its number at a time, and owners of the others take turns', async () => {
    const queue = new Queue(1)
    const { begun, run, endNext } = setUp(queue)
    for (const name of ['a1', 'a2', 'a3']) void run(name, { owner: 'a' })
    void run('b1', { owner: 'b' })
    expect(begun).toEqual(['a1'])
    expect(queue.isFull).toBe(true)
    for (let left = 4; left > 0; left--) await endNext()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
    expect(queue.isFull).toBe(false)
  })

  test('leaves out what is aborted while it waits, and says why', async () => {
    const { begun, run, endNext } = setUp(
      new Queue(1, { aborted: ({ reason }) => new Error(`aborted: ${reason}`) }),
    )
    const waiting = new AbortController()
    void run('first')
    const second = run('second', { signal: waiting.signal })
    const before = run('before', { signal: AbortSignal.abort('at once') })
    void run('third')
    waiting.abort('meanwhile')
    await expect(second).rejects.toThrow('aborted: meanwhile')
    await expect(before).rejects.toThrow('aborted: at once')
    await endNext()
    expect(begun).toEqual(['first', 'third'])
  })

  test('refuses what waits for longer than its patience, and gives its place to no other', async () => {
    const queue = new Queue(1, { patience: { ms: 1, refusal: () => tooMany(1) } })
    const { begun, run, endNext } = setUp(queue)
    void run('first')
    await expect(run('second')).rejects.toThrow('no more than 1')
    await endNext()
    void run('third')
    expect(begun).toEqual(['first', 'third'])
  })

  test('goes on when work fails', async () => {
    const queue = new Queue(1)
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await queue.run(async () => 'next')).toBe('next')
  })
})

test('a limit refuses one more than may run, until one of them ends', async () => {
  const limit = new Limit(2, tooMany)
  const { promise, resolve } = held()
  const running = [limit.run(() => promise), limit.run(() => promise)]
  await expect(limit.run(async () => 'third')).rejects.toThrow('no more than 2')
  resolve()
  await Promise.all(running)
  expect(await limit.run(async () => 'third')).toBe('third')
})

test('a budget takes what came, and has no room again until as much is released', () => {
  const budget = new Budget(10, tooMany)
  budget.assertRoom()
  expect(budget.take(9)).toBe(true)
  budget.assertRoom()
  expect(budget.take(9)).toBe(false)
  expect(budget.held).toBe(18)
  expect(() => budget.assertRoom()).toThrow('no more than 10')
  budget.release(9)
  expect(() => budget.assertRoom()).not.toThrow()
})

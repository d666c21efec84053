import { setTimeout as delay } from 'node:timers/promises'
import {
  type Batch,
  GROUP_COMMIT_LIMITS,
  GroupCommit,
  type GroupCommitLimits,
  stored,
} from '../../../subgraphs/events/ingestion/group-commit.ts'
import { validate } from '../../../subgraphs/events/ingestion/validate.ts'

const batchOf = (...titles: string[]): Batch => ({
  items: titles.map((title, index) => {
    const verdict = validate({ title }, new Date())
    if ('error' in verdict) throw new Error(verdict.error)
    return { index, occurrence: verdict.occurrence }
  }),
  errors: [],
  idempotency: null,
})
const keyed = (key: string, ...titles: string[]): Batch => ({
  ...batchOf(...titles),
  idempotency: { account: '', key, digest: '' },
})

/** Writes whose end the test decides. */
function gatedWriter() {
  const groups: { titles: string[]; finish: () => void }[] = []
  const write = (batches: readonly Batch[]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const titles = batches.flatMap(({ items }) => items.map((item) => item.occurrence.title))
    groups.push({ titles, finish: resolve })
    return promise.then(() =>
      batches.map((batch) => ({ status: 'fulfilled' as const, value: stored(batch) })),
    )
  }
  return { groups, write, titles: () => groups.map(({ titles }) => titles) }
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const limits = (change: Partial<GroupCommitLimits>) => ({ ...GROUP_COMMIT_LIMITS, ...change })

test('what arrives together, or while the writers are busy, is written together', async () => {
  const { groups, write, titles } = gatedWriter()
  const queue = new GroupCommit(write, limits({ writers: 1 }))
  const answers = ['a', 'b'].map((title) => queue.submit(batchOf(title)))
  await turn()
  answers.push(...['c', 'd'].map((title) => queue.submit(batchOf(title))))
  await turn()
  expect(titles()).toEqual([['a', 'b']])
  groups[0]?.finish()
  await Promise.all(answers.slice(0, 2))
  await turn()
  expect(titles()).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  groups[1]?.finish()
  await Promise.all(answers)
})

test('an event stands in one transaction at a time; others pass it, its own order stays', async () => {
  const { groups, write, titles } = gatedWriter()
  const queue = new GroupCommit(write, limits({ writers: 2 }))
  const first = queue.submit(batchOf('hot'))
  await turn()
  void queue.submit(batchOf('hot', 'x'))
  void queue.submit(batchOf('x'))
  void queue.submit(batchOf('y'))
  await turn()
  expect(titles()).toEqual([['hot'], ['y']])
  groups[0]?.finish()
  await first
  await turn()
  expect(titles()[2]).toEqual(['hot', 'x', 'x'])
})

test('what is enough for a writer of its own is left to one, but for requests of the same events', async () => {
  const { groups, write, titles } = gatedWriter()
  const queue = new GroupCommit(
    write,
    limits({ writers: 1, maxWriters: 2, shareEvents: 2, groupEvents: 3 }),
  )
  for (const title of ['a', 'b', 'a', 'c', 'd', 'e', 'a']) void queue.submit(batchOf(title))
  await turn()
  expect(titles()).toEqual([
    ['a', 'b', 'a'],
    ['c', 'd'],
  ])
  groups[0]?.finish()
  await turn()
  expect(titles()[2]).toEqual(['e', 'a'])
})

test('requests with the same idempotency key take turns', async () => {
  const { groups, write, titles } = gatedWriter()
  const queue = new GroupCommit(write, limits({ writers: 2 }))
  const first = queue.submit(keyed('k', 'a'))
  void queue.submit(keyed('k', 'b'))
  void queue.submit(keyed('l', 'c'))
  await turn()
  expect(titles()).toEqual([['a', 'c']])
  groups[0]?.finish()
  await first
  await turn()
  expect(titles()[1]).toEqual(['b'])
})

test.each([
  ['events', { queueEvents: 2 }],
  ['bytes', { queueBytes: 2 * '{"title":"a"}'.length }],
])('a queue full of %s refuses, and takes more when it has room', async (_what, change) => {
  const { groups, write } = gatedWriter()
  const queue = new GroupCommit(write, limits(change))
  const taken = ['a', 'b'].map((title) => queue.submit(batchOf(title)))
  await turn()
  await expect(queue.submit(batchOf('c'))).rejects.toMatchObject({ code: 'OVERLOADED' })
  groups[0]?.finish()
  await Promise.all(taken)
  expect(() => queue.assertCapacity()).not.toThrow()
})

test('stopping waits for what was taken and refuses the rest', async () => {
  const { groups, write } = gatedWriter()
  const queue = new GroupCommit(write)
  const taken = queue.submit(batchOf('a'))
  const stopped = queue.stop()
  await expect(queue.submit(batchOf('b'))).rejects.toMatchObject({ code: 'OVERLOADED' })
  await turn()
  groups[0]?.finish()
  await taken
  await stopped
})

test('it is busy while all writers work, or a request waits for one', async () => {
  const { groups, write } = gatedWriter()
  const queue = new GroupCommit(write, limits({ writers: 2 }))
  const first = queue.submit(batchOf('a'))
  await turn()
  await delay(20)
  expect(queue.busyMs).toBe(0)
  const second = queue.submit(batchOf('b'))
  await turn()
  await delay(20)
  groups[0]?.finish()
  await first
  const busyMs = queue.busyMs
  expect(busyMs).toBeGreaterThan(10)
  await delay(20)
  expect(queue.busyMs).toBe(busyMs)
  const third = queue.submit(batchOf('b'))
  await turn()
  await delay(20)
  expect(queue.busyMs).toBeGreaterThan(busyMs + 10)
  groups[1]?.finish()
  await second
  await turn()
  groups[2]?.finish()
  await third
})

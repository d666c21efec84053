import { setTimeout as delay } from 'node:timers/promises'
import type { End } from '../../../subgraphs/test-execution/executions/end/end.repository.ts'
import { EndBatches } from '../../../subgraphs/test-execution/executions/end/ends.ts'

// Only what batches read.
const end = (id: string, suiteId: string | null = 'suite') =>
  ({ execution: { id, suiteId } }) as unknown as End

const REFUSED = 'refused'
const GONE = 'gone'

function batches() {
  const written: string[][] = []
  const published: string[] = []
  const repository = {
    async finish(_suiteId: string | null, ends: readonly End[]) {
      const ids = ends.map(({ execution }) => execution.id)
      await delay(1)
      if (ids.includes(REFUSED)) throw new Error('The database refuses it')
      written.push(ids)
      return ids.filter((id) => id !== GONE)
    },
  }
  const pubSub = { publish: async (_: string, id: string) => void published.push(id) }
  return { written, published, ends: new EndBatches(repository, pubSub) }
}

test('ends that nothing waits for are written with the first urgent one', async () => {
  const { ends, written, published } = batches()
  const all = [ends.write(end('a'), false), ends.write(end('b'), false), ends.write(end('c'), true)]
  expect(await Promise.all(all)).toEqual([true, true, true])
  expect(written).toEqual([['a', 'b', 'c']])
  expect(published).toEqual(['a', 'b', 'c', 'suite'])
})

test('they are written without an urgent one, too', async () => {
  const { ends, written } = batches()
  await Promise.all([ends.write(end('a'), false), ends.write(end('b'), false)])
  expect(written).toEqual([['a', 'b']])
})

test('what comes during a transaction goes into the next one', async () => {
  const { ends, written } = batches()
  await Promise.all(['a', 'b', 'c'].map((id) => ends.write(end(id), true)))
  expect(written).toEqual([['a'], ['b', 'c']])
})

test('suites do not wait for each other', async () => {
  const { ends, written } = batches()
  await Promise.all(
    [end('a', 'one'), end('b', 'two'), end('c', null)].map((each) => ends.write(each, true)),
  )
  expect(written).toEqual([['a'], ['b'], ['c']])
})

test('an end that the database refuses fails alone', async () => {
  const { ends, written } = batches()
  const all = [end('a'), end(REFUSED), end(GONE), end('b')].map((each, at) =>
    ends.write(each, at === 3),
  )
  expect(await Promise.allSettled(all)).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: expect.any(Error) },
    { status: 'fulfilled', value: false },
    { status: 'fulfilled', value: true },
  ])
  expect(written).toEqual([['a'], [GONE], ['b']])
})

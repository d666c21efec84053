import type { ExecutionResult } from 'graphql'
import { SharedFetches } from '../../../../../gateway/federation/executor/shared-fetches.ts'
import type { SubgraphLink } from '../../../../../gateway/federation/links/link.ts'
import { openCaller } from '../../../../../subgraphs/platform/access/caller.ts'

const QUERY = { document: '{ a }', variables: { id: 1 }, kind: 'query' } as const
const MUTATION = { ...QUERY, document: 'mutation { b }', kind: 'mutation' } as const
const caller = (user: string, requestId = 'one') => ({ caller: { ...openCaller(requestId), user } })

/** A subgraph that answers when the test says so. */
function setUp(options = {}) {
  const answers: PromiseWithResolvers<ExecutionResult>[] = []
  const link = {
    name: 'events',
    execute: () => {
      const answer = Promise.withResolvers<ExecutionResult>()
      answers.push(answer)
      return answer.promise
    },
  } as unknown as SubgraphLink
  return { answers, link, fetches: new SharedFetches(options) }
}

test('equal queries in flight of equal callers are one fetch, and each gets data of its own', async () => {
  const { answers, link, fetches } = setUp()
  const all = ['one', 'two', 'three'].map((id) => fetches.execute(link, QUERY, caller('ada', id)))
  expect(answers).toHaveLength(1)
  answers[0]?.resolve({ data: { a: { deep: [1] } } })
  const [first, second, third] = await Promise.all(all)
  expect([second, third]).toEqual([first, first])
  expect(new Set([first, second, third].map((result) => result?.data?.a)).size).toBe(3)
})

test.each<[string, object, ReturnType<typeof caller>]>([
  ['another caller', {}, caller('eve')],
  ['other variables', { variables: { id: 2 } }, caller('ada')],
  ['another document', { document: '{ c }' }, caller('ada')],
  ['a mutation', MUTATION, caller('ada')],
])('%s shares nothing', (_what, change, context) => {
  const { answers, link, fetches } = setUp()
  void fetches.execute(link, QUERY, caller('ada'))
  void fetches.execute(link, { ...QUERY, ...change }, context)
  expect(answers).toHaveLength(2)
})

test('a query joins its equal among several in flight of one caller, also when another one has ended', async () => {
  const { answers, link, fetches } = setUp()
  const ask = (id: number) =>
    fetches.execute(link, { ...QUERY, variables: { id } }, caller('ada', `request ${id}`))
  const [first, second, third] = [ask(1), ask(2), ask(3)]
  const equals = [ask(2), ask(1)]
  expect(answers).toHaveLength(3)
  answers[0]?.resolve({ data: { a: 1 } })
  await Promise.all([first, equals[1]])
  equals.push(ask(3))
  expect(answers).toHaveLength(3)
  void ask(1)
  expect(answers).toHaveLength(4)
  for (const [at, answer] of answers.entries()) answer.resolve({ data: { a: at + 1 } })
  const found = await Promise.all([second, equals[0], third, equals[2]])
  expect(found.map((result) => result?.data?.a)).toEqual([2, 2, 3, 3])
})

test('a failure is the failure of all, and the next query asks again', async () => {
  const { answers, link, fetches } = setUp()
  const both = [1, 2].map(() => fetches.execute(link, QUERY, caller('ada')))
  answers[0]?.reject(new Error('gone'))
  await expect(Promise.allSettled(both)).resolves.toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ])
  void fetches.execute(link, QUERY, caller('ada'))
  expect(answers).toHaveLength(2)
})

test('no query joins one that began before a mutation ended, or before an event came', async () => {
  const { answers, link, fetches } = setUp()
  void fetches.execute(link, QUERY, caller('ada'))
  const mutation = fetches.execute(link, MUTATION, caller('eve'))
  answers[1]?.resolve({ data: { b: 1 } })
  await mutation
  void fetches.execute(link, QUERY, caller('ada'))
  expect(answers).toHaveLength(3)
  fetches.changed()
  void fetches.execute(link, QUERY, caller('ada'))
  expect(answers).toHaveLength(4)
})

test('where other processes change the data, each query is a fetch of its own', async () => {
  const { answers, link, fetches } = setUp({ othersChange: true })
  for (const id of ['one', 'two']) void fetches.execute(link, QUERY, caller('ada', id))
  expect(answers).toHaveLength(2)
})

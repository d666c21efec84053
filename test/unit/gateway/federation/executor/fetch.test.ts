import type { Json } from '../../../../../gateway/federation/executor/own.ts'
import {
  entities,
  entityFetch,
  product,
  rootFetch,
  runFetch,
} from '../../../../support/executor/run-fetch.ts'

test('equal entities are asked for once and shared by none', async () => {
  const { requests, data } = await runFetch(
    entityFetch,
    ['list', '@'],
    { list: [product(1), product(2), product(1)] },
    entities({ tags: [{}] }, { tags: [{}] }),
  )
  expect(requests[0]?.variables).toEqual({ representations: [product(1), product(2)] })
  const [first, , third] = data.list as { tags: Json[] }[]
  expect(third).toEqual(first)
  expect(third?.tags[0]).not.toBe(first?.tags[0])
})

test('nothing is sent where there is nothing to ask for', async () => {
  const unknown = [null, {}, { __typename: 'P' }, { __typename: 7, id: 1 }]
  expect(
    (await runFetch(entityFetch, ['list', '@'], { list: unknown }, entities())).requests,
  ).toEqual([])
  expect((await runFetch(entityFetch, ['list', '@'], { list: null }, entities())).requests).toEqual(
    [],
  )
})

test('a fetch gets the variables that it uses, and no inherited ones', async () => {
  const { requests } = await runFetch(rootFetch, [], {}, () => ({ data: { p: null } }))
  expect(requests[0]?.variables).toEqual({ used: 1 })
})

test.each<['mutation' | 'query', 'answers' | 'fails', number]>([
  ['mutation', 'answers', 1],
  ['mutation', 'fails', 1],
  ['query', 'answers', 0],
])(
  'a %s that %s counts as %i changes, which later queries do not share',
  async (kind, how, count) => {
    const node = { ...rootFetch, operationKind: kind as typeof rootFetch.operationKind }
    const { changes } = await runFetch(node, [], {}, () => {
      if (how === 'fails') throw new Error('lost')
      return { data: { p: null } }
    })
    expect(changes).toBe(count)
  },
)

test('an entity that is not there leaves its object as it is', async () => {
  const { data, errors } = await runFetch(
    entityFetch,
    ['list', '@'],
    { list: [product(1), product(2)] },
    entities(null, { name: 'b' }),
  )
  expect(data.list).toEqual([product(1), { ...product(2), name: 'b' }])
  expect(errors).toEqual([])
})

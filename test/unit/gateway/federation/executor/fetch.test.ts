import type { FetchNode } from '@apollo/query-planner'
import { buildSchema, type ExecutionResult, GraphQLError } from 'graphql'
import { compileFetch } from '../../../../../gateway/federation/executor/fetch.ts'
import type { Json } from '../../../../../gateway/federation/executor/own.ts'
import { SharedFetches } from '../../../../../gateway/federation/executor/shared-fetches.ts'
import type { PlannedRequest, SubgraphLink } from '../../../../../gateway/federation/links/link.ts'
import { AppError } from '../../../../../schema/errors.ts'
import { openCaller } from '../../../../../subgraphs/shared/caller.ts'
import { createLogger } from '../../../../../subgraphs/shared/logger.ts'

const schema = buildSchema('type P { id: ID } type Query { p: P }')

const entityFetch = {
  kind: 'Fetch',
  serviceName: 'shop',
  operation:
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on P { name } } }',
  operationKind: 'query',
  requires: [
    {
      kind: 'InlineFragment',
      typeCondition: 'P',
      selections: [
        { kind: 'Field', name: '__typename' },
        { kind: 'Field', name: 'id' },
      ],
    },
  ],
} as unknown as FetchNode
const rootFetch = {
  kind: 'Fetch',
  serviceName: 'shop',
  operation: '{ p { id } }',
  operationKind: 'query',
  variableUsages: ['used', 'constructor'],
} as unknown as FetchNode

const product = (id: unknown) => ({ __typename: 'P', id })

async function run(
  node: FetchNode,
  path: string[],
  data: Json,
  answer: () => Partial<ExecutionResult>,
) {
  const requests: PlannedRequest[] = []
  const link: SubgraphLink = {
    name: 'shop',
    async execute(request) {
      requests.push(structuredClone(request))
      return answer()
    },
    subscribe: () => Promise.reject(new Error('No subscription is expected')),
    async stop() {},
  }
  const errors: GraphQLError[] = []
  await compileFetch(
    node,
    path,
  )({
    schema,
    data,
    errors,
    lost: [],
    text: '',
    variables: { used: 1, unused: 'http://hook.example/used' },
    link: () => link,
    fetches: new SharedFetches(),
    log: createLogger('silent'),
    context: { caller: openCaller('r') },
  })
  return {
    requests,
    data,
    errors: errors.map(({ message, path: place, extensions }) => ({
      message,
      path: place?.join('.'),
      ...extensions,
    })),
  }
}

const entities =
  (...found: unknown[]) =>
  () => ({ data: { _entities: found } as Json })

test('equal entities are asked for once and shared by none', async () => {
  const { requests, data } = await run(
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
  expect((await run(entityFetch, ['list', '@'], { list: unknown }, entities())).requests).toEqual(
    [],
  )
  expect((await run(entityFetch, ['list', '@'], { list: null }, entities())).requests).toEqual([])
})

test('a fetch gets the variables that it uses, and no inherited ones', async () => {
  const { requests } = await run(rootFetch, [], {}, () => ({ data: { p: null } }))
  expect(requests[0]?.variables).toEqual({ used: 1 })
})

test('an entity that is not there leaves its object as it is', async () => {
  const { data, errors } = await run(
    entityFetch,
    ['list', '@'],
    { list: [product(1), product(2)] },
    entities(null, { name: 'b' }),
  )
  expect(data.list).toEqual([product(1), { ...product(2), name: 'b' }])
  expect(errors).toEqual([])
})

const FAILURES: [string, () => never, object][] = [
  [
    'a subgraph that is down',
    () => {
      throw new AppError('OVERLOADED', 'It cannot be reached')
    },
    { message: 'It cannot be reached', code: 'OVERLOADED', retryAfterSeconds: 2 },
  ],
  [
    'a link that fails',
    () => {
      throw new Error('at http://inside/stack')
    },
    { message: 'The subgraph shop failed', code: 'DOWNSTREAM_SERVICE_ERROR' },
  ],
]

describe('errors', () => {
  const list = () => ({ list: [{ __typename: 'P' }, product(1), null, product(2), product(1)] })

  test('of an entity stand at each of its places, also behind objects that were not asked for', async () => {
    const errors = [
      new GraphQLError('bad', {
        path: ['_entities', 0, 'name'],
        extensions: { code: 'BAD', url: 'http://inside', stacktrace: [] },
      }),
    ]
    const result = await run(entityFetch, ['list', '@'], list(), () => ({
      data: { _entities: [{ name: null }, { name: 'b' }] },
      errors,
    }))
    expect(result.errors).toEqual([
      { message: 'bad', path: 'list.1.name', code: 'BAD' },
      { message: 'bad', path: 'list.4.name', code: 'BAD' },
    ])
  })

  const WRONG_FORM = {
    message: 'A subgraph answered with an error of the wrong form',
    code: 'DOWNSTREAM_SERVICE_ERROR',
  }
  const BAD = { message: 'bad', code: 'DOWNSTREAM_SERVICE_ERROR' }

  test.each<[string, unknown, object[]]>([
    ['text in place of a list', 'SECRET', [{ ...WRONG_FORM, path: 'p' }]],
    ['an object in place of a list', { message: 'SECRET' }, [{ ...WRONG_FORM, path: 'p' }]],
    ['nothing in place of an error', [null], [{ ...WRONG_FORM, path: 'p' }]],
    ['a list in place of an error', [['SECRET']], [{ ...WRONG_FORM, path: 'p' }]],
    ['no message', [{}], [{ ...WRONG_FORM, path: 'p' }]],
    [
      'a message that is no text',
      [{ message: 5, path: ['p', 'id'] }],
      [{ ...WRONG_FORM, path: 'p.id' }],
    ],
    ['a path that is no list', [{ message: 'bad', path: 'SECRET' }], [{ ...BAD, path: 'p' }]],
    ['an empty path', [{ message: 'bad', path: [] }], [{ ...BAD, path: 'p' }]],
    [
      'a path that ends in no key',
      [{ message: 'bad', path: ['p', -1, 'id'] }],
      [{ ...BAD, path: 'p' }],
    ],
    [
      'extensions that are no object',
      [{ message: 'bad', extensions: 'SECRET' }],
      [{ ...BAD, path: 'p' }],
    ],
    [
      'a code that is no text',
      [{ message: 'bad', extensions: { code: {} } }],
      [{ ...BAD, path: 'p' }],
    ],
  ])('of the wrong form are told once: %s', async (_what, errors, told) => {
    const result = await run(rootFetch, [], {}, () => ({ errors }) as ExecutionResult)
    expect(result.errors).toEqual(told)
  })

  test('of the wrong form leave the data as they are', async () => {
    const result = await run(rootFetch, [], {}, () => {
      return { data: { p: null }, errors: 'SECRET' } as unknown as ExecutionResult
    })
    expect(result.errors).toEqual([WRONG_FORM])
    expect(result.data).toEqual({ p: null })
  })

  test.each<[unknown]>([
    [undefined],
    ['_entities'],
    [['_entities']],
    [['_entities', 99, 'name']],
    [['_entities', -1, 'name']],
    [['_entities', 0.5, 'name']],
    [['_entities', '0', 'name']],
    [['other', 0, 'name']],
  ])('of no entity stand where all of them do: %j', async (path) => {
    const errors = [{ message: 'bad', path }]
    const result = await run(
      entityFetch,
      ['list', '@'],
      list(),
      () => ({ data: { _entities: [{}, {}] }, errors }) as unknown as ExecutionResult,
    )
    expect(result.errors).toEqual([{ ...BAD, path: 'list' }])
  })

  test.each<[unknown]>([[{}], [{ data: null }], [{ data: 'SECRET' }], [[]]])(
    'an answer without data and errors is one: %j',
    async (answer) => {
      const failed = { message: 'The subgraph shop failed', code: 'DOWNSTREAM_SERVICE_ERROR' }
      const root = await run(rootFetch, [], {}, () => answer as ExecutionResult)
      expect(root.errors).toEqual([{ ...failed, path: 'p' }])
      const entity = await run(entityFetch, ['list', '@'], list(), () => answer as ExecutionResult)
      expect(entity.errors).toEqual([{ ...failed, path: 'list' }])
    },
  )

  test('keep the addresses that the client sent in variables, and no others', async () => {
    const message = 'http://hook.example/used is refused by http://inside/'
    const errors = [{ message, path: ['p'] }]
    const result = await run(rootFetch, [], {}, () => ({ data: { p: null }, errors }) as never)
    expect(result.errors).toEqual([
      { ...BAD, message: 'http://hook.example/used is refused by [url]', path: 'p' },
    ])
  })

  test('without a path have none, and a code, where data came along', async () => {
    const result = await run(rootFetch, [], {}, () => ({
      data: { p: null },
      errors: [new GraphQLError('bad')],
    }))
    expect(result.errors).toEqual([
      { message: 'bad', path: undefined, code: 'DOWNSTREAM_SERVICE_ERROR' },
    ])
  })

  describe('of a root fetch that brings nothing', () => {
    const several = {
      ...rootFetch,
      operation:
        '{ p { id } ... on Query { __c_1a2b3c4d_second: p { id } } p { name } __typename __c_1a2b3c4d_out: p @include(if: false) { id } }',
    }
    test.each<[string, () => Partial<ExecutionResult>, object]>([
      ...FAILURES,
      [
        'an error without a path',
        () => ({ errors: [new GraphQLError('bad')] }),
        { message: 'bad', code: 'DOWNSTREAM_SERVICE_ERROR' },
      ],
    ])('%s stands at each of its fields, as the client calls them', async (_what, answer, told) => {
      const { errors } = await run(several, [], {}, answer)
      expect(errors).toEqual([
        { ...told, path: 'p' },
        { ...told, path: 'second' },
      ])
    })

    test('they stand at each of its objects', async () => {
      const data = { done: [{ query: {} }, { query: {} }] }
      const { errors } = await run(rootFetch, ['done', '@', 'query'], data, () => {
        throw new AppError('OVERLOADED', 'It cannot be reached')
      })
      expect(errors.map(({ path }) => path)).toEqual(['done.0.query.p', 'done.1.query.p'])
    })
  })

  test.each<[string, () => Partial<ExecutionResult>, object]>([
    ...FAILURES,
    [
      'too few entities',
      entities({}),
      { message: 'The subgraph shop failed', code: 'DOWNSTREAM_SERVICE_ERROR' },
    ],
    [
      'no list of entities',
      () => ({ data: { _entities: {} } }),
      { message: 'The subgraph shop failed', code: 'DOWNSTREAM_SERVICE_ERROR' },
    ],
    [
      'something else than data',
      () => ({ data: [] as unknown as Json }),
      { message: 'The subgraph shop failed', code: 'DOWNSTREAM_SERVICE_ERROR' },
    ],
  ])(
    '%s is told once, where all its objects stand, without detail',
    async (_what, answer, expected) => {
      const result = await run(entityFetch, ['list', '@'], list(), answer)
      expect(result.errors).toEqual([{ ...expected, path: 'list' }])
      expect(result.data).toEqual(list())
    },
  )
})

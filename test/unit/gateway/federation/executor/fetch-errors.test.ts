import { type ExecutionResult, GraphQLError } from 'graphql'
import { AppError } from '../../../../../formats/errors.ts'
import type { Json } from '../../../../../gateway/federation/executor/own.ts'
import {
  entities,
  entityFetch,
  product,
  rootFetch,
  runFetch,
} from '../../../../support/executor/run-fetch.ts'

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
    const result = await runFetch(entityFetch, ['list', '@'], list(), () => ({
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
  ])('of the wrong form are reported once: %s', async (_what, errors, reported) => {
    const result = await runFetch(rootFetch, [], {}, () => ({ errors }) as ExecutionResult)
    expect(result.errors).toEqual(reported)
  })

  test('of the wrong form leave the data as they are', async () => {
    const result = await runFetch(rootFetch, [], {}, () => {
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
    const result = await runFetch(
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
      const root = await runFetch(rootFetch, [], {}, () => answer as ExecutionResult)
      expect(root.errors).toEqual([{ ...failed, path: 'p' }])
      const entity = await runFetch(
        entityFetch,
        ['list', '@'],
        list(),
        () => answer as ExecutionResult,
      )
      expect(entity.errors).toEqual([{ ...failed, path: 'list' }])
    },
  )

  test('keep the addresses that the client sent in variables, and no others', async () => {
    const message = 'http://hook.example/used is refused by http://inside/'
    const errors = [{ message, path: ['p'] }]
    const result = await runFetch(rootFetch, [], {}, () => ({ data: { p: null }, errors }) as never)
    expect(result.errors).toEqual([
      { ...BAD, message: 'http://hook.example/used is refused by [url]', path: 'p' },
    ])
  })

  test('without a path have none, and a code, where data came along', async () => {
    const result = await runFetch(rootFetch, [], {}, () => ({
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
    ])(
      '%s stands at each of its fields, as the client calls them',
      async (_what, answer, reported) => {
        const { errors } = await runFetch(several, [], {}, answer)
        expect(errors).toEqual([
          { ...reported, path: 'p' },
          { ...reported, path: 'second' },
        ])
      },
    )

    test('they stand at each of its objects', async () => {
      const data = { done: [{ query: {} }, { query: {} }] }
      const { errors } = await runFetch(rootFetch, ['done', '@', 'query'], data, () => {
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
    '%s is reported once, where all its objects stand, without detail',
    async (_what, answer, expected) => {
      const result = await runFetch(entityFetch, ['list', '@'], list(), answer)
      expect(result.errors).toEqual([{ ...expected, path: 'list' }])
      expect(result.data).toEqual(list())
    },
  )
})

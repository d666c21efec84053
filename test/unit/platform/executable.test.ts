import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { pino } from 'pino'
import type { Permission } from '../../../platform/access/permissions.ts'
import { executable } from '../../../platform/subgraph/executable.ts'

/** A subgraph with a stream whose event is the same object for all subscribers. */
function setUp() {
  let resolved = 0
  const event = {}
  const changed = {
    type: new GraphQLObjectType({
      name: 'Changed',
      fields: {
        text: {
          type: GraphQLString,
          args: { length: { type: GraphQLInt } },
          resolve: (_event, { length }, { caller }) => `${++resolved} ${length} ${caller.user}`,
        },
      },
    }),
    args: { of: { type: GraphQLString } },
    resolve: (root: unknown) => root,
    subscribe: async function* () {
      yield event
    },
  }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { none: { type: GraphQLInt } } }),
    subscription: new GraphQLObjectType({ name: 'Subscription', fields: { changed } }),
  })
  const subgraph = executable({ schema }, pino({ level: 'silent' }))
  return async (variables: object, permissions: readonly Permission[] = [], user = 'ada') => {
    const document =
      'subscription ($of: String, $length: Int) { changed(of: $of) { text(length: $length) } }'
    const context = { caller: { requestId: 'r', user, permissions } }
    const stream = await subgraph.subscribe({ document, variables: { ...variables } }, context)
    return (await stream.next()).value
  }
}

test('an event is answered once for all who ask the same of it, whichever events they want', async () => {
  const answerTo = setUp()
  const first = await answerTo({ of: 'a' })
  expect(first.data.changed.text).toBe('1 undefined ada')
  expect(await answerTo({ of: 'b' })).toBe(first)
})

test('others, who ask for more, may do other things or are somebody else, get an answer of their own', async () => {
  const answerTo = setUp()
  await answerTo({ of: 'a' })
  expect((await answerTo({ of: 'a', length: 1 })).data.changed.text).toBe('2 1 ada')
  expect((await answerTo({ of: 'a' }, ['events:read'])).data.changed.text).toMatch(/^3/)
  expect((await answerTo({ of: 'a' }, [], 'bob')).data.changed.text).toBe('4 undefined bob')
})

test('of probes the log has the first that fails, until one succeeds', async () => {
  let isAway = true
  const none = {
    type: GraphQLInt,
    resolve() {
      if (isAway) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    },
  }
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { none } }),
  })
  const lines: object[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const subgraph = executable({ schema }, log)
  const ask = (requestId: string, isProbe?: true) =>
    subgraph.execute(
      { document: '{ none }', variables: {} },
      { caller: { requestId, user: null, permissions: [], ...(isProbe && { isProbe }) } },
    )
  await ask('first', true)
  expect(await ask('second', true)).toMatchObject({
    errors: [{ extensions: { code: 'OVERLOADED' } }],
  })
  await ask('client')
  isAway = false
  await ask('third', true)
  isAway = true
  await ask('fourth', true)
  const why = { level: 40, reason: 'connect', msg: 'The database did not answer' }
  expect(lines).toMatchObject(
    ['first', 'client', 'fourth'].map((requestId) => ({ requestId, ...why })),
  )
})

import { createHash, randomUUID } from 'node:crypto'
import { ask, connect } from '../../support/e2e/graph.ts'
import { product } from '../row.ts'

test.each([
  ['GET', '', 400, 'BAD_USER_INPUT', null],
  ['GET', '?query=', 400, 'BAD_USER_INPUT', null],
  ['GET', '?query={__typename}&variables={', 400, 'BAD_USER_INPUT', null],
  ['GET', '?query={__typename}&variables=[1]', 400, 'BAD_USER_INPUT', null],
  ['DELETE', '?query={__typename}', 405, 'METHOD_NOT_ALLOWED', 'GET, POST, OPTIONS'],
  ['PUT', '', 405, 'METHOD_NOT_ALLOWED', 'GET, POST, OPTIONS'],
])('GraphQL refuses %s %s with status %i', async (method, search, status, code, allow) => {
  const response = await fetch(product().graphql + search, {
    method,
    headers: { 'x-request-id': 'bad-4' },
  })
  expect(response.status).toBe(status)
  expect(response.headers.get('allow')).toBe(allow)
  expect(await response.json()).toEqual({
    errors: [
      {
        message: expect.not.stringMatching(/apollo|express/i),
        extensions: { code, requestId: 'bad-4' },
      },
    ],
  })
})

const LEVELS = 20_000
const nested = (open: string, close: string) => open.repeat(LEVELS) + close.repeat(LEVELS)

test.each([
  ['selections', nested('{a', '}')],
  ['a list', `{ a(b: ${nested('[', ']')}) }`],
  [
    'fragments',
    `{ ...F0 } ${Array.from({ length: LEVELS }, (_, i) => `fragment F${i} on Query { ...F${i + 1} }`).join(' ')}`,
  ],
])('GraphQL refuses a document with deeply nested %s over HTTP and WebSocket', async (_, query) => {
  const message = 'The document nests more than 200 levels of brackets: ask for less at a time'
  const refusal = [
    { message, extensions: { code: 'OPERATION_LIMIT_EXCEEDED', requestId: 'bad-5' } },
  ]
  expect(await ask(query, {}, { 'x-request-id': 'bad-5' })).toMatchObject({
    status: 400,
    errors: refusal,
  })
  const client = connect({ 'x-request-id': 'bad-5' })
  try {
    await expect(client.iterate({ query }).next()).rejects.toEqual(refusal)
  } finally {
    await client.dispose()
  }
})

const times = (count: number, part: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ')

/** Each fragment spreads the next one twice. */
const bomb = (fragments: number) =>
  `{ ...F0 } ${times(fragments, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F${fragments} on Query { __typename }`

test.each([
  ['OPERATION_MAX_TOKENS', 'more than 15000 tokens', `{ ${times(15_000, () => 'a')} }`],
  ['OPERATION_MAX_DEPTH', '21 levels of fields', `${'{a'.repeat(21)}${'}'.repeat(21)}`],
  [
    'OPERATION_MAX_FIELDS',
    '16385 fields',
    `{ testCase(id: "a") ${bomb(14).replaceAll('Query', 'TestCase').replace('}', '} }')}`,
  ],
  [
    'OPERATION_MAX_ALIASES',
    '101 aliases',
    `{ suites { ${times(101, (i) => `a${i}: __typename`)} } }`,
  ],
  [
    'OPERATION_MAX_ROOT_FIELDS',
    '1000 fields at its root',
    `{ ${times(1_000, (i) => `a${i}: __typename`)} }`,
  ],
  ['OPERATION_MAX_ROOT_FIELDS', '1000000000 fields at its root', bomb(100)],
  [
    'OPERATION_MAX_DIRECTIVES',
    '101 directives',
    `{ __typename ${'@include(if: true) '.repeat(101)} }`,
  ],
  [
    'OPERATION_MAX_COST',
    'may cost 1002001',
    '{ testCases(first: 1000) { nodes { events(last: 1000) { nodes { title } } } } }',
  ],
])('%s holds over HTTP, Server-Sent Events and WebSocket: %s', async (limit, actual, query) => {
  const refusal = {
    message: expect.stringMatching(
      new RegExp(`^The operation (has|may cost).*; ${limit} allows \\d+\\. Ask for less`),
    ),
    extensions: { code: 'OPERATION_LIMIT_EXCEEDED', requestId: 'bad-6' },
  }
  const headers = { 'x-request-id': 'bad-6' }
  const posted = await ask(query, {}, headers)
  expect(posted.errors).toEqual([refusal])
  expect(posted.errors[0]?.message).toContain(actual)
  if (query.length < 10_000) {
    const address = `${product().graphql}?${new URLSearchParams({ query })}`
    const got = await fetch(address, { headers })
    expect(await got.json()).toEqual({ errors: [refusal] })
  }
  const streamed = await fetch(product().graphql, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const [, event = ''] = /^event: next\ndata: (.*)$/m.exec(await streamed.text()) ?? []
  expect(JSON.parse(event)).toEqual({ errors: [refusal] })
  const client = connect(headers)
  try {
    const answer = client.iterate({ query }).next()
    expect(
      await answer.then(
        ({ value }) => value.errors,
        (errors) => errors,
      ),
    ).toEqual([refusal])
  } finally {
    await client.dispose()
  }
})

test('a document is run by its hash over POST, GET and WebSocket, once it was sent with it', async () => {
  const query = `query Q${randomUUID().slice(0, 8)} { __typename }`
  const persistedQuery = {
    version: 1,
    sha256Hash: createHash('sha256').update(query).digest('hex'),
  }
  const post = async (body: object) => {
    const response = await fetch(product().graphql, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'apq-1' },
      body: JSON.stringify({ extensions: { persistedQuery }, ...body }),
    })
    return { status: response.status, body: await response.json() }
  }
  const found = { data: { __typename: 'Query' } }
  expect(await post({})).toEqual({
    status: 200,
    body: {
      errors: [
        {
          message: 'PersistedQueryNotFound',
          extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: 'apq-1' },
        },
      ],
    },
  })
  expect((await post({ query: '{ __schema { description } }' })).status).toBe(400)
  expect(await post({ query })).toEqual({ status: 200, body: found })
  expect(await post({})).toEqual({ status: 200, body: found })

  const params = new URLSearchParams({ extensions: JSON.stringify({ persistedQuery }) })
  expect(await (await fetch(`${product().graphql}?${params}`)).json()).toEqual(found)

  const client = connect()
  const stream = client.iterate({ query: '', extensions: { persistedQuery } })
  expect((await stream.next()).value).toEqual(found)
  await client.dispose()
})

test('batched operations are refused', async () => {
  const response = await fetch(product().graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    errors: [
      {
        message: expect.stringMatching(/Batched operations/),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ],
  })
})

test('an empty list stands for no variables and no extensions, as PHP writes them', async () => {
  const query = '{ __typename }'
  const expected = { data: { __typename: 'Query' } }
  const posted = await fetch(product().graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: [], extensions: [] }),
  })
  expect(await posted.json()).toEqual(expected)
  const inQuery = { query, variables: '[]', extensions: '[]' }
  const got = await fetch(`${product().graphql}?${new URLSearchParams(inQuery)}`, {
    headers: { accept: 'application/json' },
  })
  expect(await got.json()).toEqual(expected)
})

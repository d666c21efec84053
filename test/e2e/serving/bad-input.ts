import { call, expectError } from '../../conformance/calls.ts'
import { refusedAsAWhole } from '../../conformance/events.ts'
import { encoded, execute } from '../../conformance/executions.ts'
import { product } from '../../conformance/row.ts'
import { ask, connect } from '../../support/e2e/graph.ts'
import { assay } from '../../support/e2e/product.ts'

describe('bad input', () => {
  /** Traces of the server's inside in an answer. */
  const TRACE = /node_modules|\bat .+:\d+:\d+|file:\/\/|dist\//

  const JSON_TYPE = { 'content-type': 'application/json' }
  const CREDENTIALS = { credentials: encoded('tester', 'secret') }

  test.each([
    ['an unknown scenario', 'POST', '/testcase/no-such-id/execute', CREDENTIALS, 404, 'NOT_FOUND'],
    ['an unknown scenario or suite', 'POST', '/execute/no-such-id', CREDENTIALS, 404, 'NOT_FOUND'],
    ['an unknown result', 'GET', '/result/no-such-id', {}, 404, 'NOT_FOUND'],
    ['the details of an unknown result', 'GET', '/result/x/details', {}, 404, 'NOT_FOUND'],
    ['an unknown event', 'GET', '/v1/events/no-such-id', {}, 404, 'NOT_FOUND'],
    ['an address that does not exist', 'GET', '/nothing', {}, 404, 'NOT_FOUND'],
    ['a method that is not offered', 'DELETE', '/v1/events', {}, 405, 'METHOD_NOT_ALLOWED'],
    ['no credentials', 'POST', '/execute/tax-table', {}, 400, 'BAD_USER_INPUT'],
    [
      'credentials that are no Base64',
      'POST',
      '/execute/tax-table',
      { credentials: '***' },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'credentials without a colon',
      'POST',
      '/execute/tax-table',
      { credentials: btoa('tester') },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'synchron that is neither true nor false',
      'POST',
      '/execute/tax-table?synchron=maybe',
      CREDENTIALS,
      400,
      'BAD_USER_INPUT',
    ],
    ['an undecodable path', 'GET', '/result/%E0%A4%A', {}, 400, 'BAD_USER_INPUT'],
  ])('REST refuses %s', async (_, method, path, headers, status, code) => {
    const answer = await call(method, path, { headers: { ...headers, 'x-request-id': 'bad-1' } })
    const body = expectError(answer, status, code)
    expect(body.path).toBe(`/api${path.split('?', 1)[0]}`)
    expect(body.requestId).toBe('bad-1')
    expect(JSON.stringify(body)).not.toMatch(TRACE)
  })

  test.each([
    ['a text as variables', 'POST', '/environment', '{"name":"q","variables":"x"}', /^variables: /],
    [
      'a token that expires tomorrow',
      'POST',
      '/account/me/token',
      '{"name":"x","scopes":["events:write"],"expires":"tomorrow"}',
      /^expires: /,
    ],
    ...['/audit', '/v1/events/histogram', '/v1/events/statistics', '/result/statistics'].map(
      (path): [string, string, string, undefined, RegExp] => [
        'a time before the year 1',
        'GET',
        `${path}?from=0000-01-01T00:00:00%2B14:00`,
        undefined,
        /from: expected a time/,
      ],
    ),
    [
      'a time after the year 9999',
      'GET',
      `/result?filter=${encodeURIComponent('{"started":{"from":"9999-12-31T23:59:59-12:00"}}')}`,
      undefined,
      /^filter\.started\.from: expected a time/,
    ],
  ])('REST refuses %s with its place: %s %s', async (_, method, path, body, message) => {
    const answer = await call(method, path, body ? { headers: JSON_TYPE, body } : {})
    expect(expectError(answer, 400, 'BAD_USER_INPUT').message).toMatch(message)
  })

  const oversized = JSON.stringify({ title: 'x'.repeat(33 * 1024 * 1024) })

  test.each([
    ['malformed JSON', '{"title":', JSON_TYPE, 400],
    ['a body that is no object', '"text"', JSON_TYPE, 400],
    ['an empty body', '', JSON_TYPE, 400],
    ['an empty array', '[]', JSON_TYPE, 400],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, 400],
    ['another content type', '{"title":"a"}', { 'content-type': 'text/plain' }, 415],
    ['an unknown encoding', '{}', { ...JSON_TYPE, 'content-encoding': 'zip' }, 415],
    ['a body over the limit', oversized, JSON_TYPE, 413],
  ])('event ingestion refuses %s in its own shape', async (_, body, headers, status) => {
    const answer = await call('POST', '/v1/events', { headers, body })
    expect(answer).toMatchObject({ status, body: refusedAsAWhole() })
    expect(JSON.stringify(answer.body)).not.toMatch(TRACE)
  })

  test.each([
    ['malformed JSON', '{"query":', JSON_TYPE, 400, 'BAD_USER_INPUT'],
    [
      'another content type',
      '{"query":"{ __typename }"}',
      { 'content-type': 'text/plain' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a body over the limit',
      `{"query":"${' '.repeat(11 * 1024 * 1024)}"}`,
      JSON_TYPE,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a syntax error', '{"query":"{"}', JSON_TYPE, 200, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', '{"query":"{ nonsense }"}', JSON_TYPE, 200, 'GRAPHQL_VALIDATION_FAILED'],
    ['no query', '{}', JSON_TYPE, 400, 'BAD_USER_INPUT'],
    ['a query that is no text', '{"query":7}', JSON_TYPE, 400, 'BAD_USER_INPUT'],
    ['no body', undefined, JSON_TYPE, 400, 'BAD_USER_INPUT'],
    [
      'a list of variables',
      '{"query":"{ __typename }","variables":[7]}',
      JSON_TYPE,
      400,
      'BAD_USER_INPUT',
    ],
    [
      'variables that are text',
      '{"query":"{ __typename }","variables":"{}"}',
      JSON_TYPE,
      400,
      'BAD_USER_INPUT',
    ],
    [
      'variables that are a number',
      '{"query":"{ __typename }","variables":5}',
      JSON_TYPE,
      400,
      'BAD_USER_INPUT',
    ],
    [
      'an operation name that is no text',
      '{"query":"{ __typename }","operationName":5}',
      JSON_TYPE,
      400,
      'BAD_USER_INPUT',
    ],
  ])('GraphQL refuses %s with a code', async (_, body, headers, status, code) => {
    const response = await fetch(product().graphql, {
      method: 'POST',
      headers: { ...headers, 'x-request-id': 'bad-2' },
      ...(body === undefined ? {} : { body }),
    })
    const answer = (await response.json()) as { errors: unknown }
    expect({ status: response.status, errors: answer.errors }).toEqual({
      status,
      errors: [
        expect.objectContaining({
          extensions: expect.objectContaining({ code, requestId: 'bad-2' }),
        }),
      ],
    })
    expect(JSON.stringify(answer)).not.toMatch(TRACE)
  })

  test.each([
    [
      'an unknown scenario',
      'execute(input: { contextId: "no-such-id", credentials: { userId: "a", password: "b" } }) { id }',
      'NOT_FOUND',
    ],
    [
      'a scenario that needs credentials',
      'execute(input: { contextId: "tax-table" }) { id }',
      'FORBIDDEN',
    ],
    [
      'an id that is taken',
      'createComponent(input: { id: "tax-table", name: "new", sourceCode: "" }) { id }',
      'CONFLICT',
    ],
    [
      'an id with a blank',
      'createComponent(input: { id: "a b", name: "new", sourceCode: "" }) { id }',
      'BAD_USER_INPUT',
    ],
    ['a component in use', 'deleteComponent(id: "tax-table")', 'CONFLICT'],
    [
      'a scenario without steps',
      'createTestCase(input: { name: "new", componentUnderTest: "tax-table", scenario: { steps: [] } }) { id }',
      'BAD_USER_INPUT',
    ],
    [
      'a change of a revision that is gone',
      'updateComponent(input: { id: "tax-table", name: "Tax table", sourceCode: "", revision: 7 }) { id }',
      'PRECONDITION_FAILED',
    ],
    ['no event at all', 'ingestEvents(input: { events: [] }) { sent }', 'BAD_USER_INPUT'],
  ])('a mutation about %s is refused with its code', async (_, mutation, code) => {
    const { errors } = await ask(`mutation { ${mutation} }`, {}, { 'x-request-id': 'bad-3' })
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/\S/),
        path: [mutation.split('(', 1)[0]],
        extensions: { code, requestId: 'bad-3' },
      }),
    ])
    expect(JSON.stringify(errors)).not.toMatch(TRACE)
  })

  const SECRET = 'TopS3cretPw'
  const CREDENTIALS_OF = { userId: 'u', password: SECRET }

  test.each<[string, object, string, string]>([
    [
      'mutation ($i: ExecuteInput!) { execute(input: $i) { state } }',
      { i: { contextId: 'ok', credentials: { ...CREDENTIALS_OF, x: 1 } } },
      'BAD_USER_INPUT',
      '$i.credentials.x: no such attribute',
    ],
    [
      'mutation ($i: ExecuteInput!) { execute(input: $i) { state } }',
      { i: { contextId: 'ok', credentials: { password: SECRET } } },
      'BAD_USER_INPUT',
      '$i.credentials.userId: it is missing',
    ],
    [
      'mutation ($i: ExecuteInput!) { execute(input: $i) { state } }',
      { i: { contextId: 'ok', credentials: SECRET } },
      'BAD_USER_INPUT',
      '$i.credentials: expected HostCredentialsInput',
    ],
    [
      `mutation ($w: Boolean) { execute(input: { contextId: "ok", wait: $w, credentials: { userId: "u", password: "${SECRET}" } }) { state } }`,
      { w: null },
      'BAD_USER_INPUT',
      'input.wait: expected Boolean, not null',
    ],
    [
      `mutation { execute(input: { contextId: "ok", credentials: "u:${SECRET}" }) { state } }`,
      {},
      'GRAPHQL_VALIDATION_FAILED',
      'input.credentials: expected HostCredentialsInput',
    ],
    [
      `mutation { execute(input: { contextId: "ok", credentials: { userId: "u", password: ["${SECRET}"] } }) { state } }`,
      {},
      'GRAPHQL_VALIDATION_FAILED',
      'input.credentials.password: expected String',
    ],
    [
      'query ($f: JSONObject) { testCases(filter: $f) { totalCount } }',
      { f: SECRET },
      'BAD_USER_INPUT',
      '$f: expected JSONObject',
    ],
    [
      `query { testCases(filter: "${SECRET}") { totalCount } }`,
      {},
      'BAD_USER_INPUT',
      'filter: expected JSONObject',
    ],
    [
      'subscription ($f: ExecutionResultFilter) { executionStateChanged(filter: $f) { cursor } }',
      { f: { startedFrom: SECRET } },
      'BAD_USER_INPUT',
      '$f.startedFrom: expected DateTime (such as 2026-01-31T08:15:00Z)',
    ],
    [
      `query { executionResults(filter: { startedFrom: "${SECRET}" }) { totalCount } }`,
      {},
      'BAD_USER_INPUT',
      'filter.startedFrom: expected DateTime (such as 2026-01-31T08:15:00Z)',
    ],
    [
      'query ($s: [ExecutionState!]) { executionResults(filter: { states: $s }) { totalCount } }',
      { s: [SECRET] },
      'BAD_USER_INPUT',
      '$s[0]: expected COMPLETED or ERROR or FAILED or RUNNING',
    ],
  ])(
    'GraphQL refuses values at their place, and does not repeat them: %s',
    async (query, variables, code, message) => {
      const client = connect()
      try {
        const errors = await client
          .iterate({ query, variables: { ...variables } })
          .next()
          .then(
            ({ value }) => value.errors,
            (refused) => refused,
          )
        expect(errors).toMatchObject([{ message, extensions: { code } }])
        expect(JSON.stringify(errors)).not.toContain(SECRET)
      } finally {
        await client.dispose()
      }
    },
  )

  test('whoever sends what, the product goes on', async () => {
    expect((await execute('/execute/loan-schedule?synchron=true')).body.state).toBe('COMPLETED')
    expect(assay().logs()).not.toMatch(/"level":(50|60)/)
  })
})

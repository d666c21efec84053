import { type Assay, startAssay } from '../../_support/assay.ts'
import { ask, connect } from '../../e2e/_support/graph.ts'
import { checkAgainst, product } from '../row.ts'

let assay: Assay | undefined

beforeAll(async () => {
  assay = await startAssay()
  checkAgainst(assay.url)
}, 60_000)

afterAll(() => assay?.stop(), 30_000)

test.each([
  ['GET', '', 400, 'BAD_USER_INPUT', null],
  ['GET', '?query=', 400, 'BAD_USER_INPUT', null],
  ['DELETE', '?query={__typename}', 405, 'METHOD_NOT_ALLOWED', 'GET, POST'],
  ['PUT', '', 405, 'METHOD_NOT_ALLOWED', 'GET, POST'],
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
  const message = 'The document is nested too deeply'
  const refusal = [{ message, extensions: { code: 'BAD_USER_INPUT', requestId: 'bad-5' } }]
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

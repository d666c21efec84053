import { lifecycle, readMessage, unknownMethod } from '../../../../gateway/http/mcp/protocol.ts'

const NEW = '2026-07-28'
const META = 'io.modelcontextprotocol/'
const meta = (version: unknown = NEW) => ({
  _meta: { [`${META}protocolVersion`]: version, [`${META}clientCapabilities`]: {} },
})
const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 'a',
  method,
  params,
})
const headers = (method: string, more: Record<string, string> = {}) => ({
  'mcp-protocol-version': NEW,
  'mcp-method': method,
  ...more,
})
const call = (name: string) => message('tools/call', { name, ...meta() })

/** Status and code of the error of a message that is refused. */
const refused = (body: unknown, given: Record<string, string> = {}) => {
  const { status, body: answer } = readMessage(body, given) as {
    status?: number
    body?: { id: unknown; error: { code: number; data?: object } }
  }
  return { status, id: answer?.id, ...answer?.error }
}

describe('a message is refused as clients of either version expect', () => {
  test.each<[string, unknown, Record<string, string>, number, number]>([
    ['a batch', [], {}, 400, -32600],
    ['another JSON', { id: 1, method: 'ping' }, {}, 400, -32600],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, {}, 400, -32600],
    ['an id that is an object', { ...message('ping'), id: {} }, {}, 400, -32600],
    ['an id of null', { ...message('ping'), id: null }, {}, 400, -32600],
    ['parameters in a list', { ...message('ping'), params: [] }, {}, 400, -32602],
    ['a version that is unknown', message('x', meta('2031-01-01')), {}, 400, -32022],
    ['no header with the version', message('x', meta()), { 'mcp-method': 'x' }, 400, -32020],
    [
      'no header with the method',
      message('x', meta()),
      { 'mcp-protocol-version': NEW },
      400,
      -32020,
    ],
    ['a header with another method', message('x', meta()), headers('y'), 400, -32020],
    ['no header with the name', call('a'), headers('tools/call'), 400, -32020],
    ['another name', call('a'), headers('tools/call', { 'mcp-name': 'b' }), 400, -32020],
    ['a header of the version alone', message('ping'), headers('ping'), 400, -32602],
    [
      'an old header that is unknown',
      message('ping'),
      { 'mcp-protocol-version': 'x' },
      400,
      -32000,
    ],
  ])('%s', (_what, body, given, status, code) => {
    expect(refused(body, given)).toMatchObject({ status, code })
  })

  test('no capabilities of the client', () => {
    const body = message('x', { _meta: { [`${META}protocolVersion`]: NEW } })
    expect(refused(body, headers('x'))).toMatchObject({ status: 400, id: 'a', code: -32602 })
  })

  test('an unknown version names the one that is known', () => {
    expect(refused(message('x', meta('x'))).data).toEqual({ supported: [NEW], requested: 'x' })
  })
})

test.each([
  ['a notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
])('%s is taken without an answer', (_what, body) => {
  expect(readMessage(body, {})).toEqual({ status: 202 })
})

test('a name may come in Base64', () => {
  const name = `=?base64?${Buffer.from('prüfe').toString('base64')}?=`
  const read = readMessage(call('prüfe'), headers('tools/call', { 'mcp-name': name }))
  expect(read).toMatchObject({ method: 'tools/call', isNew: true })
})

/** The answer to a request that needs no tool. */
const answerTo = (body: object, given: Record<string, string> = {}) => {
  const request = readMessage(body, given)
  return 'method' in request ? (lifecycle(request) ?? unknownMethod(request)) : request
}

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-03-26', '2025-03-26'],
  ['2026-07-28', '2025-11-25'],
  ['x', '2025-11-25'],
])('initialize with %s agrees on %s', (protocolVersion, agreed) => {
  expect(answerTo(message('initialize', { protocolVersion }))).toMatchObject({
    status: 200,
    body: { id: 'a', result: { protocolVersion: agreed, capabilities: { tools: {} } } },
  })
})

test('discovery says what the server is, and for how long that holds', () => {
  const answer = answerTo(message('server/discover', meta()), headers('server/discover'))
  expect(answer).toEqual({
    status: 200,
    body: {
      jsonrpc: '2.0',
      id: 'a',
      result: {
        supportedVersions: [NEW],
        capabilities: { tools: {} },
        ttlMs: 300_000,
        cacheScope: 'private',
        resultType: 'complete',
        _meta: { [`${META}serverInfo`]: { name: 'assay', version: expect.any(String) } },
      },
    },
  })
})

test.each(['ping', 'initialize', 'subscriptions/listen', 'resources/list'])(
  '%s is no method of the new version',
  (method) => {
    const answer = answerTo(message(method, meta()), headers(method))
    expect(answer).toMatchObject({ status: 404, body: { error: { code: -32601 } } })
  },
)

test('an unknown method of the old version is no fault of HTTP', () => {
  const answer = answerTo(message('server/discover'))
  expect(answer).toMatchObject({ status: 200, body: { error: { code: -32601 } } })
})

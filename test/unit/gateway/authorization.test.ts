import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAuthorization } from '../../../gateway/authorization/authorization.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { createLogger } from '../../../platform/process/logger.ts'

let answer: (response: ServerResponse) => void = () => {}
const asked: { body: unknown; authorization: string | undefined }[] = []
const server = createServer(async (request: IncomingMessage, response) => {
  asked.push({
    body: JSON.parse(await text(request)),
    authorization: request.headers.authorization,
  })
  answer(response)
})
let url: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => void asked.splice(0))

const log = createLogger('silent')
const contextOf = (claims?: Record<string, unknown>) => ({
  caller: { ...openCaller('test'), ...(claims && { claims }) },
  headers: { 'x-tenant': 't' },
})

test.each<[Record<string, unknown> | undefined, boolean, string[]]>([
  [undefined, false, []],
  [{}, true, []],
  [{ scope: 'a b' }, true, ['a', 'b']],
  [{ scope: ['a'] }, true, ['a']],
  [{ scp: 'a b' }, true, ['a', 'b']],
  [{ scope: 'a', scp: 'b' }, true, ['a']],
  [{ scope: { a: true } }, true, []],
])('of the claims %j, scopes are read', async (claims, isAuthenticated, scopes) => {
  const grants = await createAuthorization({}, log).grantsOf(contextOf(claims), ['p'])
  expect(grants).toEqual({ isAuthenticated, scopes: new Set(scopes), policies: new Set() })
})

test('a webhook decides about policies, by claims and headers', async () => {
  answer = (response) => response.end('{"granted": ["p"]}')
  const { grantsOf } = createAuthorization({ policies: { url, token: 'secret' } }, log)
  expect((await grantsOf(contextOf({ sub: 'ada' }), ['p', 'q'])).policies).toEqual(new Set(['p']))
  expect(asked).toEqual([
    {
      body: { policies: ['p', 'q'], claims: { sub: 'ada' }, headers: { 'x-tenant': 't' } },
      authorization: 'Bearer secret',
    },
  ])
  await grantsOf(contextOf(), [])
  expect(asked).toHaveLength(1)
})

test('an answer is kept for as long as the settings say, for equal questions', async () => {
  answer = (response) => response.end('{"granted": ["p"]}')
  const { grantsOf } = createAuthorization({ policies: { url, cacheMs: 60_000 } }, log)
  await grantsOf(contextOf({ sub: 'ada' }), ['p'])
  await grantsOf(contextOf({ sub: 'ada' }), ['p'])
  expect(asked).toHaveLength(1)
  await grantsOf(contextOf({ sub: 'eve' }), ['p'])
  expect(asked).toHaveLength(2)
})

test.each<[string, (response: ServerResponse) => void]>([
  ['a failure', (response) => response.writeHead(500).end('{"granted": ["p"]}')],
  ['no JSON', (response) => response.end('granted')],
  ['another shape', (response) => response.end('{"granted": {"p": true}}')],
  ['a redirect', (response) => response.writeHead(302, { location: '/' }).end()],
  ['a lost connection', (response) => response.destroy()],
  ['silence', () => {}],
])('after %s of the webhook, no policy is met', async (_what, how) => {
  answer = how
  const { grantsOf } = createAuthorization({ policies: { url, timeoutMs: 200 } }, log)
  expect((await grantsOf(contextOf({}), ['p'])).policies).toEqual(new Set())
})

import { allowedMethods } from '../../../gateway/http/router.ts'
import { routes } from '../../../rest-bridge/index.ts'
import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

const RESULT = {
  id: 'r-1',
  type: 'TEST',
  contextId: 'loan-schedule',
  testCaseResults: [],
  state: 'COMPLETED',
  started: '2026-01-31T08:15:00.250Z',
  ended: '2026-01-31T08:15:01.000Z',
  message: '',
  executedBy: 'ci',
  validationFailures: [],
  useCodeCoverage: true,
  codeCoverage: [],
}

/** A graph in which every artifact, execution and event is there. */
const data = {
  execute: RESULT,
  executionResult: RESULT,
  list: { nodes: [], totalCount: 0 },
  ingestEvents: { sent: 1, success: 'ALL', accepted: [{ index: 0, id: 'e-1' }], errors: [] },
}

let bridge: ServedBridge

beforeAll(async () => {
  bridge = await serveBridge(() => ({ data }))
})

afterAll(() => bridge.stop())

const lastVariables = () => bridge.asked.at(-1)?.variables

/** One request as it goes over the wire, with whatever a client writes. */
const request = (line: string, headers: readonly string[] = [], body = '') =>
  `${[line, 'Host: assay.example', ...headers].join('\r\n')}\r\n\r\n${body}`

const CLOSE = 'Connection: close'
const BASE64 = Buffer.from('ci:s').toString('base64')

test('a build server that joins addresses carelessly, sends credentials percent-encoded and an empty JSON body is understood', async () => {
  const answer = await bridge.raw(
    request(
      'POST /api//testcase//loan-schedule/execute/?synchron=TRUE HTTP/1.1',
      [
        `credentials: ${BASE64.replaceAll('=', '%3D')}`,
        'content-type: application/json; charset=UTF-8',
        'content-length: 0',
        'accept: */*',
        CLOSE,
      ],
      '',
    ),
  )
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  expect(lastVariables()).toEqual({
    input: expect.objectContaining({
      contextId: 'loan-schedule',
      wait: true,
      credentials: { userId: 'ci', password: 's' },
    }),
  })
})

test.each(['CREDENTIALS', 'Credentials', 'credentials'])(
  'the header name %s is the same',
  async (name) => {
    const headers = { [name]: BASE64 }
    const answer = await fetch(`${bridge.base}/execute/loan-schedule`, { method: 'POST', headers })
    expect(answer.status).toBe(200)
  },
)

test('a list is sorted by what stands before and behind the comma, blank or not', async () => {
  await fetch(`${bridge.base}/testcase?sort=name, asc&sort=id,DESC&pageSize=5`)
  expect(lastVariables()).toMatchObject({
    first: 5,
    sort: [
      { attribute: 'name', direction: 'ASC' },
      { attribute: 'id', direction: 'DESC' },
    ],
  })
})

test('what stands in a parameter stays as it is, doubled slashes and stray percent signs, too', async () => {
  const callbackUrl = 'http://ci.example//done'
  const address = `${bridge.base}//execute/loan%2Dschedule?callbackUrl=${callbackUrl}`
  await fetch(address, { method: 'POST', headers: { credentials: BASE64 } })
  expect(lastVariables()).toMatchObject({ input: { contextId: 'loan-schedule', callbackUrl } })
  await fetch(`${bridge.base}/suite?filter=%7B%22name%22:%22*%%22%7D&sort=//name`)
  expect(lastVariables()).toMatchObject({
    filter: { name: '*%' },
    sort: [{ attribute: '//name', direction: 'ASC' }],
  })
})

test.each([
  'environmentId=&environmentId=local',
  'environmentId=local&environmentId=',
  'environmentId=&environmentId=local&environmentId=local',
])('%s is one environment', async (query) => {
  const address = `${bridge.base}/execute/loan-schedule?${query}&synchron=&synchron=true`
  const answer = await fetch(address, { method: 'POST', headers: { credentials: BASE64 } })
  expect(answer.status).toBe(200)
  expect(lastVariables()).toMatchObject({ input: { environmentId: 'local', wait: true } })
})

test.each([
  ['/%73uite', 404],
  ['/suite/%63ount', 404], // an id, which nothing has
  ['/result/%ZZ', 400],
  ['/nothing/%ZZ', 404],
  ['/suite?pageSize=1#2', 200],
])('%s answers %d', async (path, status) => {
  const answer = await bridge.raw(request(`GET /api${path} HTTP/1.1`, [CLOSE]))
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('an id may be as long as the headers of a request', async () => {
  const id = 'x'.repeat(10_000)
  expect((await fetch(`${bridge.base}/result/${id}`)).status).toBe(200)
  expect(lastVariables()).toEqual({ id })
})

test.each([
  ['pageNumber', '-1'],
  ['pageSize', '1001'],
  ['sort', 'name,sideways'],
  ['filter', '{'],
])('an unusable %s is refused by name', async (name, value) => {
  const answer = await fetch(`${bridge.base}/suite?${new URLSearchParams({ [name]: value })}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining(name) })
})

test('a body may come in chunks, and a second request right behind it', async () => {
  const chunked = request(
    'POST /api/v1/events HTTP/1.1',
    ['content-type: application/json', 'transfer-encoding: chunked'],
    '8\r\n{"title"\r\n7\r\n:"Full"\r\n1\r\n}\r\n0\r\n\r\n',
  )
  const second = request('GET /api/result/r-1 HTTP/1.1', [CLOSE])
  const answers = await bridge.raw(chunked + second)
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 202', 'HTTP/1.1 200'])
  expect(bridge.asked.slice(-2).map(({ variables }) => variables)).toContainEqual({
    input: { events: [{ title: 'Full' }] },
  })
})

test('whatever a client accepts, it gets JSON', async () => {
  for (const accept of ['*/*', 'text/html, */*;q=0.1', 'application/xml']) {
    const answer = await fetch(`${bridge.base}/result/r-1`, { headers: { accept } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  }
})

test('HEAD answers as GET does, without the body', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => fetch(`${bridge.base}/component`, { method })),
  )
  for (const name of ['content-type', 'content-length', 'x-total-count', 'link'])
    expect(head?.headers.get(name)).toBe(get?.headers.get(name))
  expect([head?.status, await head?.text()]).toEqual([200, ''])
})

test('OPTIONS tells the methods of every path, and asks nothing', async () => {
  const before = bridge.asked.length
  for (const path of new Set(routes.map((route) => route.path))) {
    const address = bridge.base + path.replaceAll(/:\w+/g, 'x')
    const answer = await fetch(address, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([
      204,
      allowedMethods(routes.filter((row) => row.path === path).map(({ method }) => method)),
    ])
  }
  expect(bridge.asked).toHaveLength(before)
})

describe('pages of other origins', () => {
  const ORIGIN = 'https://portal.example'
  const PREFLIGHT = {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'credentials,content-type',
  }

  /** Responses of a bridge for these origins to the preflight and to the request behind it. */
  async function ask(corsOrigins: readonly string[]) {
    const served = await serveBridge(() => ({ data }), { corsOrigins })
    try {
      const address = `${served.base}/execute/loan-schedule`
      const preflight = await fetch(address, { method: 'OPTIONS', headers: PREFLIGHT })
      const headers = { origin: ORIGIN, credentials: BASE64 }
      const answer = await fetch(address, { method: 'POST', headers })
      return { preflight, answer }
    } finally {
      await served.stop()
    }
  }

  test.each([[[ORIGIN]], [['https://other.example', ORIGIN]], [['*']]])(
    'may call where %j are listed',
    async (origins) => {
      const { preflight, answer } = await ask(origins)
      const allowed = origins.includes('*') ? '*' : ORIGIN
      expect(preflight.status).toBe(204)
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        'access-control-allow-origin': allowed,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': 'credentials,content-type',
      })
      expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  test.each([[[]], [['https://other.example']]])('may not where %j are', async (origins) => {
    for (const { headers } of Object.values(await ask(origins)))
      expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

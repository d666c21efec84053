import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { Client } from '../../../cli/client.ts'

let server: Server
let url: string
let requests: number
/** Makers of the next responses, the first first; the last one is made again and again. */
let answers: ((response: ServerResponse) => void)[]

beforeEach(async () => {
  requests = 0
  server = createServer((_request, response) => {
    answers[Math.min(requests++, answers.length - 1)]?.(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

const clientAt = (address: string) =>
  new Client({ url: address, signal: new AbortController().signal })

const whole = (body: string) => (response: ServerResponse) =>
  response.setHeader('x-request-id', '1').end(body)
const broken = (response: ServerResponse) => {
  response.writeHead(200, { 'x-request-id': '1', 'content-length': 100 }).write('{"data":')
  setImmediate(() => response.destroy())
}

describe('a body that breaks off', () => {
  test('is asked for again', async () => {
    answers = [broken, whole('{"a":1}')]
    expect(await clientAt(url).rest('GET', '/x')).toEqual({ a: 1 })
    answers = [broken, whole('bytes')]
    requests = 0
    expect(Buffer.from(await clientAt(url).bytes('/x')).toString()).toBe('bytes')
  })

  test('is a server that cannot be reached where the request may not be repeated', async () => {
    answers = [broken]
    const lost = { exitCode: 3, message: expect.stringContaining('cannot be reached') }
    await expect(clientAt(url).rest('POST', '/x')).rejects.toMatchObject(lost)
    await expect(clientAt(url).graphql('progress', {})).rejects.toMatchObject(lost)
    expect(requests).toBe(2)
  })
})

describe('a stream', () => {
  const event = 'event: next\ndata: {"data":{"a":1}}\n\n'
  const begin = (response: ServerResponse) =>
    response.writeHead(200, { 'x-request-id': '1', 'content-type': 'text/event-stream' })
  const open = (silenceMs: number) =>
    new Client({ url, signal: new AbortController().signal, silenceMs }).subscribe(
      'tail',
      {},
      () => {},
    )

  test('without a sign of life is lost', async () => {
    answers = [(response) => begin(response).write(event)]
    const events = open(200)
    expect(await events.next()).toEqual({ done: false, value: { a: 1 } })
    await expect(events.next()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('nothing came for 0.2 s'),
    })
  })

  test('that a server never begins is lost', async () => {
    answers = [() => {}]
    await expect(open(100).next()).rejects.toMatchObject({ exitCode: 3 })
  })

  test('that shows life goes on', async () => {
    answers = [
      (response) => {
        begin(response)
        let shown = 0
        const pulse = setInterval(() => {
          if (++shown < 20) response.write(':\n\n')
          else {
            clearInterval(pulse)
            response.write(event)
          }
        }, 50)
      },
    ]
    const events = open(700)
    expect(await events.next()).toEqual({ done: false, value: { a: 1 } })
    await events.return()
  })
})

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString()
/** As C writes it: RFC 9110 still has it read. */
const asctime = (date: string) =>
  date.replace(/^(\w+), (\d+) (\w+) (\d+) (.+) GMT$/, '$1 $3 $2 $5 $4')

test.each([
  ['3', /in 3\.0 s$/],
  ['300', /in 10\.0 s$/],
  [inSeconds(300), /in 10\.0 s$/],
  [asctime(inSeconds(300)), /in 10\.0 s$/],
  [inSeconds(-300), /in 0\.5 s$/],
  ['soon', /in 0\.5 s$/],
])('after Retry-After: %s a request is sent again %s', async (value, expected) => {
  answers = [(response) => response.writeHead(503, { 'retry-after': value }).end()]
  const ended = new AbortController()
  const onRetry = (reason: string) => ended.abort(new Error(reason))
  const client = new Client({ url, signal: ended.signal, onRetry })
  await expect(client.rest('GET', '/x')).rejects.toThrow(expected)
})

test.each([
  'https://user:geheim@host',
  'https:/user:geheim@host',
  'https://:geheim@host/api',
  'ftp://user:geheim@host',
  'https://user:gehe/im@host',
])('%s is refused without its password', (address) => {
  expect(() => clientAt(address)).toThrow(/^(?!.*gehe).*ASSAY_URL has a user name or password/)
})

test('an @ in the path of a URL is none of a user', () => {
  expect(clientAt('http://host/@team/api').at('/x')).toBe('http://host/@team/api/x')
})

test.each(['gehe\nim', 'gehe im', 'geheim→'])(
  'the token %j is refused without being shown',
  (token) => {
    const { signal } = new AbortController()
    expect(() => new Client({ url, token, signal })).toThrow(/^(?!.*gehe).*ASSAY_TOKEN has a blank/)
  },
)

test.each(['geheim\n', '\ngeheim', '\uFEFFgeheim\r\n'])(
  'the token %j is sent alone',
  async (token) => {
    let sent: string | undefined
    server.prependListener('request', ({ headers }) => {
      sent = headers.authorization
    })
    answers = [whole('1')]
    const { signal } = new AbortController()
    await new Client({ url, token, signal }).rest('GET', '/x')
    expect(sent).toBe('Bearer geheim')
  },
)

describe('a redirect', () => {
  const to =
    (location: string, status = 302) =>
    (response: ServerResponse) =>
      response.writeHead(status, { location }).end()

  test('of the same origin is followed where the request stays what it is', async () => {
    answers = [to('/api/y'), whole('{"a":1}')]
    expect(await clientAt(url).rest('GET', '/x')).toEqual({ a: 1 })
    answers = [to('/api/y', 308), whole('{"a":2}')]
    requests = 0
    expect(await clientAt(url).rest('POST', '/x', { body: { b: 1 } })).toEqual({ a: 2 })
  })

  test('of a page is followed within its origin', async () => {
    answers = [to('/y'), whole('')]
    expect(await clientAt(url).page('/x')).toBe(`${url}/x`)
  })

  test.each([301, 302, 303, 307, 308])('%d to another origin gets nothing', async (status) => {
    let strayed = 0
    const other = createServer((_request, response) => {
      strayed++
      response.setHeader('x-request-id', '1').end('{}')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const elsewhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api`
    answers = [to(`${elsewhere}/x?secret=1`, status)]
    const client = new Client({ url, token: 'assay_t', signal: new AbortController().signal })
    const headers = { credentials: 'secret' }
    for (const method of ['GET', 'POST'] as const)
      await expect(client.rest(method, '/x', { headers })).rejects.toMatchObject({
        exitCode: 3,
        message: expect.stringContaining(`leads to ${elsewhere}/x, where credentials are not sent`),
      })
    await expect(client.graphql('progress', {})).rejects.toMatchObject({ exitCode: 3 })
    expect(await client.page('/')).toBeNull()
    expect(strayed).toBe(0)
    await new Promise((resolve) => other.close(resolve))
  })

  test('without an end is one that cannot be followed', async () => {
    answers = [to('/api/x')]
    await expect(clientAt(url).rest('GET', '/x')).rejects.toMatchObject({ exitCode: 3 })
    expect(requests).toBe(6)
  })

  test('that would repeat a change as GET is not followed', async () => {
    answers = [to('/api/y', 303), whole('{}')]
    await expect(clientAt(url).rest('POST', '/x')).rejects.toMatchObject({ exitCode: 3 })
    expect(requests).toBe(1)
  })
})

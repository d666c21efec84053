import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { assay } from '../../support/e2e/product.ts'

const DECODED = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const
const SCHEMA_QUERY = encodeURIComponent('{ __schema { types { name description } } }')
const ADDRESSES = [
  '/api/component/loan-schedule',
  '/v1/events?limit=100',
  `/graphql?query=${SCHEMA_QUERY}`,
  '/graphql/schema',
  '/api/v2/api-docs',
  '/api/v3/api-docs',
  '/api/scenario.schema.json',
]

describe('compressed responses', () => {
  beforeAll(async () => {
    const events = Array.from({ length: 20 }, (_, at) => ({ title: `compressed ${at}` }))
    const { status } = await send('POST', '/v1/events', {}, JSON.stringify(events))
    expect(status).toBe(202)
    const { body } = await send('GET', '/api/component/loan-schedule')
    const { id: _, name: __, ...rest } = JSON.parse(body.toString())
    const long = { ...rest, id: 'long', name: 'long', description: 'It is long. '.repeat(200) }
    await send('POST', '/api/component', {}, JSON.stringify(long))
  })
  afterAll(() => send('DELETE', '/api/component/long'))

  test.each(
    ADDRESSES.map((path) => path.replace('loan-schedule', 'long')).flatMap((path) =>
      (['br', 'gzip', 'zstd'] as const).map((coding) => [path, coding] as const),
    ),
  )('%s comes as %s, and holds the same', async (path, coding) => {
    const plain = await send('GET', path)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const coded = await send('GET', path, { 'accept-encoding': coding })
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(coded.body.length),
      vary: plain.headers.vary,
    })
    expect(coded.headers.vary).toContain('Accept-Encoding')
    expect(coded.body.length).toBeLessThan(plain.body.length / 2)
    expect(DECODED[coding](coded.body).equals(plain.body)).toBe(true)
  })

  test.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['*', 'gzip'],
    ['br;q=0.5, *;q=0.1', 'br'],
    ['zstd;q=0, *', 'gzip'],
    ['gzip;q=0, *', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
    ['br;q=0.2, identity', undefined],
  ])('for %j the coding is %s', async (accepted, coding) => {
    const { headers } = await send('GET', '/api/component/long', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(coding)
  })

  test('each coding has a tag of its own, which names the revision', async () => {
    const path = '/api/component/long'
    const coded = { 'accept-encoding': 'br' }
    const { headers } = await send('GET', path, coded)
    expect(headers.etag).toBe('"1-br"')
    const known = await send('GET', path, { ...coded, 'if-none-match': '"1-br"' })
    expect(known).toMatchObject({ status: 304, headers: { etag: '"1-br"' } })
    expect(known.headers).not.toHaveProperty('content-encoding')
    const plain = await send('GET', path, { 'if-none-match': '"1-br"' })
    expect(plain).toMatchObject({ status: 304, headers: { etag: '"1"' } })
    const head = await send('HEAD', path, coded)
    const { 'content-length': length, etag, 'content-encoding': coding } = head.headers
    expect({ length, etag, coding, body: head.body.length }).toEqual({
      length: headers['content-length'],
      etag: '"1-br"',
      coding: 'br',
      body: 0,
    })
  })

  test('small responses and streams of events are not compressed', async () => {
    const coded = { 'accept-encoding': 'gzip, br, zstd' }
    const small = await send('GET', '/api/component/count', coded)
    expect(small.headers).not.toHaveProperty('content-encoding')
    const stream = encodeURIComponent('subscription { eventReceived { cursor } }')
    const opened = await open('GET', `/graphql?query=${stream}`, {
      ...coded,
      accept: 'text/event-stream',
    })
    expect(opened.headers).not.toHaveProperty('content-encoding')
    opened.destroy()
  })
})

/** As Node's own client, unlike fetch, asks for no coding by itself. */
async function open(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<IncomingMessage> {
  const type = { 'content-type': 'application/json' }
  const sent = request(assay().url + path, { method, headers: { ...type, ...headers } }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function send(...call: Parameters<typeof open>) {
  const response = await open(...call)
  const { headers, statusCode: status } = response
  return { status, headers, body: await buffer(response) }
}

import { jest } from '@jest/globals'
import { createClient } from '@urql/core'
import { exactFetchExchange } from '../../../web/src/graph/exchange.ts'
import { sentenceOf } from '../../../web/src/graph/request-error.ts'

const client = createClient({ url: 'http://localhost/graphql', exchanges: [exactFetchExchange] })
const fetching = jest.spyOn(globalThis, 'fetch')
afterAll(() => jest.restoreAllMocks())

async function failure(): Promise<string> {
  const { error } = await client.query('{ a }', {}, { requestPolicy: 'network-only' })
  return error ? sentenceOf(error) : 'none'
}

test('the error page of a proxy does not read like a server that is away', async () => {
  fetching.mockResolvedValueOnce(new Response('<h1>Bad Gateway</h1>', { status: 502 }))
  expect(await failure()).toBe(
    'Something between this page and the server, such as a proxy, answered with 502',
  )
  fetching.mockRejectedValueOnce(new TypeError('fetch failed'))
  expect(await failure()).toBe('The server cannot be reached')
  fetching.mockResolvedValueOnce(new Response('{"data":{"a":1}}'))
  expect(await failure()).toBe('none')
})

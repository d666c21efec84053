import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { assay } from '../../support/e2e/product.ts'

describe('sockets', () => {
  const socketUrl = () => `${assay().url.replace('http', 'ws')}/graphql`

  test('a page of another host gets no socket', async () => {
    const headers = { origin: 'http://evil.example' }
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', { headers })
    const [error] = await once(socket, 'error')
    expect(error.message).toContain('403')
  })

  test('the refusal of a page names the Host that came, and what a proxy must pass on', async () => {
    const headers = { origin: 'https://assay.example', host: 'backend:4000' }
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', { headers })
    const [, response] = await once(socket, 'unexpected-response')
    expect(await text(response)).toMatch(/https:\/\/assay\.example.*Host to backend:4000.*port/)
  })

  test('a handshake whose Upgrade a proxy removed is answered with 426', async () => {
    const response = await fetch(`${assay().url}/graphql`, {
      headers: { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' },
    })
    expect(response.status).toBe(426)
    expect(response.headers.get('upgrade')).toBe('websocket')
    expect(await response.text()).toMatch(/a proxy in front removed it.*UPGRADE_REQUIRED/)
  })

  test('a page of the own host gets a socket', async () => {
    const socket = new WebSocket(socketUrl(), 'graphql-transport-ws', { origin: assay().url })
    await once(socket, 'open')
    socket.close()
    await once(socket, 'close')
  })

  test.each(['/graphql/', '//graphql', '//graphql//?some=1'])(
    'a socket is served at %s, too',
    async (path) => {
      const address = socketUrl().replace('/graphql', path)
      const socket = new WebSocket(address, 'graphql-transport-ws')
      await once(socket, 'open')
      socket.close()
      await once(socket, 'close')
    },
  )

  test.each([
    ['{ nope }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['{ __typename', undefined, 'GRAPHQL_PARSE_FAILED'],
    ['query A { __typename }', 'B', 'OPERATION_RESOLUTION_FAILURE'],
    ['query A { __typename } query B { __typename }', undefined, 'OPERATION_RESOLUTION_FAILURE'],
  ])(
    '%s as operation %s is refused with the code %s, and the socket stays',
    async (query, operationName, code) => {
      const client = createClient({ url: socketUrl(), webSocketImpl: WebSocket, retryAttempts: 0 })
      const refused = client.iterate({ query, ...(operationName && { operationName }) }).next()
      await expect(refused).rejects.toMatchObject([{ extensions: { code } }])
      const { value } = await client.iterate({ query: '{ __typename }' }).next()
      expect(value).toEqual({ data: { __typename: 'Query' } })
      await client.dispose()
    },
  )

  test('a subscription by POST is told where subscriptions are served', async () => {
    const response = await fetch(`${assay().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'subscription { executionUpdated(id: "x") { cursor } }' }),
    })
    const { errors } = (await response.json()) as { errors: object[] }
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('text/event-stream'),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ])
  })
})

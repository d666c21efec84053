import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'
import { eventually } from '../../support/eventually.ts'

const WATCH =
  'subscription Shared($query: String) { eventReceived(query: $query) { cursor rawEvent { title } } }'

describe('streams of several users', () => {
  const client = () => new Client(assay().url)
  const open = new Set<() => unknown>()
  afterEach(async () => {
    for (const close of open) await close()
    open.clear()
  })

  const watch = (headers: Record<string, string>, query: string) => {
    const socket = createClient({
      url: `${assay().url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: headers,
    })
    open.add(() => socket.dispose())
    return socket.iterate<{ eventReceived: { rawEvent: { title: string } } }>({
      query: WATCH,
      variables: { query },
    })
  }

  const streams = async () => {
    const text = await (
      await fetch(`${assay().url}/metrics`, { headers: basic(ADMIN, ADMIN_PASSWORD) })
    ).text()
    return {
      upstream: Number(/^assay_subgraph_streams\{subgraph="events"\} (\d+)/m.exec(text)?.[1] ?? 0),
      clients: Number(/^assay_graphql_subscriptions\{name="Shared"\} (\d+)/m.exec(text)?.[1] ?? 0),
    }
  }
  const until = (clients: number, upstream: number) =>
    eventually(async () => expect(await streams()).toEqual({ clients, upstream }))

  test('users with the same permissions share a stream, others do not, and a refusal is the own one', async () => {
    const [ada, bob] = [
      await client().account('ada-watches@example.com', 'READER'),
      await client().account('bob-watches@example.com', 'READER'),
    ]
    const editor = await client().account('editor-watches@example.com', 'EDITOR')
    const { secret } = await client().token(editor.headers, ['events:write'])
    await until(0, 0) // those of other tests end in their own time
    const query = 'title:"several users"'
    const first = [watch(ada.headers, query).next(), watch(bob.headers, query).next()]
    await until(2, 1)
    first.push(watch(editor.headers, query).next())
    await until(3, 2)
    first.push(watch(ada.headers, 'title:several AND -title:few').next())
    await until(4, 3)

    const { value } = await watch({ token: secret }, query).next()
    expect(value?.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])

    const event = { title: 'several users' }
    expect((await client().rest('POST', '/v1/events', editor.headers, event)).status).toBe(202)
    for (const { value: received } of await Promise.all(first))
      expect(received?.data?.eventReceived.rawEvent).toEqual(event)
  })
})

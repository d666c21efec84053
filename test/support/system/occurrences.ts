import { createClient } from 'graphql-ws'
import WebSocket from 'ws'

/** Follows the occurrences that are stored from now on. */
export async function follow(url: string, headers: Record<string, string>) {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: headers,
  })
  const titles: string[] = []
  const { value: now } = await client
    .iterate<{ eventCursor: string }>({ query: '{ eventCursor }' })
    .next()
  if (!now?.data) throw new Error('There is no cursor')
  client.subscribe<{ eventReceived: { rawEvent: { title: string } } }>(
    {
      query:
        'subscription ($after: String) { eventReceived(after: $after) { rawEvent { title } } }',
      variables: { after: now.data.eventCursor },
    },
    {
      next: ({ data }) => void (data && titles.push(data.eventReceived.rawEvent.title)),
      error: () => {},
      complete: () => {},
    },
  )
  return { titles: titles as readonly string[], stop: () => client.dispose() }
}

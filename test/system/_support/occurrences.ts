import { createClient } from 'graphql-ws'
import WebSocket from 'ws'

/** Follows the occurrences that are stored from now on. */
export async function follow(url: string, headers: Record<string, string>) {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: headers,
  })
  const connected = new Promise<void>((resolve) => client.on('connected', () => resolve()))
  const titles: string[] = []
  client.subscribe<{ eventReceived: { rawEvent: { title: string } } }>(
    { query: 'subscription { eventReceived { rawEvent { title } } }' },
    {
      next: ({ data }) => void (data && titles.push(data.eventReceived.rawEvent.title)),
      error: () => {},
      complete: () => {},
    },
  )
  await connected
  return { titles: titles as readonly string[], stop: () => client.dispose() }
}

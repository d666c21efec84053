import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'

const QUERY = 'subscription { eventReceived { cursor } }'

/** A subscription that has begun. */
export interface OpenStream {
  /** The close code of a WebSocket, or the last words of an event stream. @throws "still open" after a while */
  ended(patienceMs: number): Promise<string>
  close(): void
}

/** Subscribes to events. @throws what refuses it */
export const openStream = (url: string, headers: Record<string, string>, isSocket: boolean) =>
  isSocket ? overSocket(url, headers) : overEventStream(url, headers)

async function overSocket(url: string, payload: object): Promise<OpenStream> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  await once(socket, 'open')
  const end = once(socket, 'close').then(([code]) => String(code))
  socket.send(JSON.stringify({ type: 'connection_init', payload }))
  const [ack] = await Promise.race([once(socket, 'message'), end.then((code) => [code])])
  if (!String(ack).includes('connection_ack')) throw new Error(`refused: ${ack}`)
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY } }))
  // A pong that follows says that the subscription was read.
  socket.send(JSON.stringify({ type: 'ping' }))
  await once(socket, 'message')
  return { ended: endOf(end), close: () => socket.close() }
}

async function overEventStream(url: string, headers: object): Promise<OpenStream> {
  const abort = new AbortController()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query: QUERY }),
    signal: abort.signal,
  })
  if (!response.ok) throw new Error(`refused: ${response.status}`)
  const end = response.text().catch(String)
  return { ended: endOf(end), close: () => abort.abort() }
}

const endOf = (end: Promise<string>) => async (patienceMs: number) => {
  const text = await Promise.race([end, delay(patienceMs, null, { ref: false })])
  if (text === null) throw new Error('The stream is still open')
  return text
}

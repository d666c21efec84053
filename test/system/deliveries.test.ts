import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Assay, startAssay } from '../support/assay.ts'
import { eventually } from '../support/eventually.ts'

/** With all of them in one turn of the event loop, an event takes it for tens of milliseconds. */
const SUBSCRIBERS = 1_500
/** More at once would not fit into the queue of the kernel for new connections. */
const OPENED_AT_ONCE = 100
/** The client may get no turn of its processor while an event is delivered, but hardly every time. */
const EVENTS = 40

const SUBSCRIBE = JSON.stringify({
  query: 'subscription { eventReceived(after: "", query: "title:turn") { cursor } }',
})

let assay: Assay
const sockets: Socket[] = []
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await assay?.stop()
})

const textOf = (head: readonly string[], body = ''): string => [...head, '', body].join('\r\n')

function connection(text: string): Socket {
  const { hostname, port } = new URL(assay.url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  sockets.push(socket)
  socket.write(text)
  return socket
}

/** Events that all subscribers together have got. */
let delivered = 0
let onDelivery = () => {}

async function subscribe(): Promise<void> {
  const head = ['Host: 127.0.0.1', 'Content-Type: application/json', 'Accept: text/event-stream']
  const length = `Content-Length: ${SUBSCRIBE.length}`
  const socket = connection(textOf(['POST /graphql HTTP/1.1', ...head, length], SUBSCRIBE))
  const [answer] = (await once(socket, 'data')) as [string]
  expect(answer).toContain('HTTP/1.1 200')
  socket.on('data', (text: string) => {
    delivered += text.split('event: next').length - 1
    onDelivery()
  })
}

async function send(): Promise<void> {
  const { status } = await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'turn' }),
  })
  expect(status).toBe(202)
}

/** @returns how many subscribers had an event when a client was answered that connected as the first one got it */
async function deliveredBeforeAnswer(): Promise<number> {
  delivered = 0
  const first = new Promise<void>((resolve) => {
    onDelivery = resolve
  })
  const answered = first.then(async () => {
    const socket = connection(textOf(['GET /healthz HTTP/1.1', 'Host: 127.0.0.1', '']))
    await once(socket, 'data')
    socket.destroy()
    return delivered
  })
  await send()
  const count = await answered
  await eventually(async () => expect(delivered).toBe(SUBSCRIBERS))
  return count
}

test('a new client is answered while an event still goes to many subscribers', async () => {
  while (sockets.length < SUBSCRIBERS)
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, subscribe))
  // The first one reaches those as well whose stream begins after it.
  await send()
  await eventually(async () => expect(delivered).toBe(SUBSCRIBERS))
  let least = SUBSCRIBERS
  for (let sent = 0; sent < EVENTS && least === SUBSCRIBERS; sent++)
    least = Math.min(least, await deliveredBeforeAnswer())
  expect(least).toBeLessThan(SUBSCRIBERS)
})

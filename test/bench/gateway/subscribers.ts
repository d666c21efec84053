import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { residentMebibytes } from '../memory.ts'
import { format, print, printSamples } from '../samples.ts'
import type { Running } from './pinned.ts'

const SUBSCRIBERS = 5_000
const AT_ONCE = 100
const EVENTS = 100
const SETTLE_SECONDS = 5

/** Time that an event takes to reach all subscribers of one process, and what each of them costs. */
export async function benchSubscribers({ ready: url, pid }: Running): Promise<void> {
  print(`\n## ${SUBSCRIBERS} WebSocket subscribers to one subscription of one process`)
  await tick(url)
  await delay(SETTLE_SECONDS * 1_000)
  const before = await residentMebibytes(pid)
  let arrived = 0
  let all = Promise.withResolvers<void>()
  const sockets: WebSocket[] = []
  for (let made = 0; made < SUBSCRIBERS; made += AT_ONCE)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          subscribe(url, () => {
            if (++arrived === SUBSCRIBERS) all.resolve()
          }),
        ),
      )),
    )
  await delay(SETTLE_SECONDS * 1_000)
  const kibibytes = (((await residentMebibytes(pid)) - before) * 1_024) / SUBSCRIBERS
  print(`memory: ${format(kibibytes)} KiB resident for each idle subscriber`)
  const samples: number[] = []
  for (let event = 0; event < EVENTS; event++) {
    arrived = 0
    all = Promise.withResolvers<void>()
    const began = performance.now()
    void tick(url)
    await all.promise
    samples.push(performance.now() - began)
  }
  printSamples('from the mutation to the last subscriber', samples)
  for (const socket of sockets) socket.terminate()
}

const tick = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'mutation { tick }' }),
  })

/** @returns a socket that is subscribed */
const subscribe = (url: string, onEvent: () => void): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws')
    const send = (frame: object) => socket.send(JSON.stringify(frame))
    socket.once('error', reject)
    socket.once('open', () => send({ type: 'connection_init' }))
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string }
      if (type === 'next') onEvent()
      if (type === 'pong') resolve(socket)
      if (type !== 'connection_ack') return
      send({
        id: '1',
        type: 'subscribe',
        payload: { query: 'subscription { ticked { at text } }' },
      })
      send({ type: 'ping' })
    })
  })

import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { type Running, startProduct } from '../events/product.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, printSamples } from '../samples.ts'
import { type CollectedMemory, collectedMemory, INSPECTABLE } from './collected-memory.ts'

const SUBSCRIBERS = 2_000
const AT_ONCE = 50
const EVENTS = 20
const PAUSE_MS = 500
const SETTLE_MS = 5_000
const IDLE_MS = 8_000

/** Differences between subscribers to `eventReceived`, all of whom get every event. */
const PROFILES = {
  equal: { user: () => 'ada', query: () => QUERY(0) },
  'other users': { user: (nth: number) => `user ${nth}`, query: () => QUERY(0) },
  'other queries': { user: () => 'ada', query: (nth: number) => QUERY(nth) },
  distinct: { user: (nth: number) => `user ${nth}`, query: (nth: number) => QUERY(nth) },
} as const

const QUERY = (nth: number) => `title:tick OR title:"number ${nth}"`

const SUBSCRIPTION = `subscription ($query: String) {
  eventReceived(query: $query) { cursor isNew event { id title severity status timesSeen } } }`

/** Measures the cost of equal and of different subscribers to events of the whole product. */
export async function benchEventSubscribers(): Promise<void> {
  for (const [name, profile] of Object.entries(PROFILES)) {
    const product = await startProduct({
      ...{ AUTH_MODE: 'proxy', PROXY_ADDRESSES: '127.0.0.0/8' },
      ...INSPECTABLE,
    })
    try {
      print(`\n## ${SUBSCRIBERS} WebSocket subscribers to events: ${name}`)
      await benchProfile(product, profile)
    } finally {
      await product.stop()
    }
  }
}

async function benchProfile(
  { assay, url, databasePid }: Running,
  { user, query }: (typeof PROFILES)[keyof typeof PROFILES],
): Promise<void> {
  const pid = assay.pids.server ?? 0
  await store(url, 0)
  await delay(SETTLE_MS)
  const used = async () => [await processorMs([pid]), await processorMs([databasePid])] as const
  const idle = async (when: string) => {
    const [product, database] = await used()
    await delay(IDLE_MS)
    const [productAfter, databaseAfter] = await used()
    const share = (ms: number) => format((100 * ms) / IDLE_MS)
    print(
      `idle ${when}: ${share(productAfter - product)} % of a core in the product, ${share(databaseAfter - database)} % in the database`,
    )
  }
  await idle('without subscribers')
  const before = await collectedMemory(assay)
  let sentAt = 0
  let arrived = 0
  let all = Promise.withResolvers<void>()
  const samples: number[] = []
  const onEvent = () => {
    samples.push(performance.now() - sentAt)
    if (++arrived === SUBSCRIBERS) all.resolve()
  }
  const sockets: WebSocket[] = []
  while (sockets.length < SUBSCRIBERS) {
    const opened = Array.from({ length: AT_ONCE }, (_, at) =>
      subscribe(assay.url, user(sockets.length + at), query(sockets.length + at), onEvent),
    )
    sockets.push(...(await Promise.all(opened)))
  }
  await delay(SETTLE_MS)
  const after = await collectedMemory(assay)
  const grown = (of: keyof CollectedMemory) =>
    format(((after[of] - before[of]) * 1_024) / SUBSCRIBERS)
  print(
    `memory for each idle subscriber, after a garbage collection: ${grown('used')} KiB used, ${grown('resident')} KiB resident`,
  )
  await idle('with them')
  const [product, database] = await used()
  for (let event = 1; event <= EVENTS; event++) {
    arrived = 0
    all = Promise.withResolvers<void>()
    sentAt = performance.now()
    await store(url, event)
    await all.promise
    await delay(PAUSE_MS)
  }
  const [productAfter, databaseAfter] = await used()
  const each = (ms: number) => format((1_000 * ms) / EVENTS / SUBSCRIBERS)
  print(
    `processor time for each event and subscriber: ${each(productAfter - product)} µs in the product, ${each(databaseAfter - database)} µs in the database`,
  )
  printSamples('from the request to each subscriber', samples, 'ms', false)
  for (const socket of sockets) socket.terminate()
}

const store = async (url: string, nth: number) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...identity('ada') },
    body: JSON.stringify({
      title: `tick ${nth}`,
      severity: 'WARN',
      status: 'OPEN',
      message: 'it ticks',
      source: { ref: 'host', type: 'host' },
      fingerprintFields: ['@title'],
    }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

const identity = (user: string) => ({ 'x-forwarded-user': user, 'x-forwarded-groups': 'runner' })

/** @returns a socket that is subscribed */
const subscribe = (
  url: string,
  user: string,
  query: string,
  onEvent: () => void,
): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const address = `${url.replace('http', 'ws')}/graphql`
    const socket = new WebSocket(address, 'graphql-transport-ws', { headers: identity(user) })
    const send = (frame: object) => socket.send(JSON.stringify(frame))
    socket.once('error', reject)
    socket.once('open', () => send({ type: 'connection_init' }))
    socket.on('message', (data: Buffer) => {
      if (data.includes('"type":"next"')) return onEvent()
      const { type } = JSON.parse(String(data)) as { type: string }
      if (type === 'pong') resolve(socket)
      if (type === 'error') reject(new Error(String(data)))
      if (type !== 'connection_ack') return
      send({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION, variables: { query } } })
      send({ type: 'ping' })
    })
  })

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Ingestion } from '../../conformance/events.ts'
import { type Assay, startAssay } from '../../support/assay.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { productKeys } from '../../support/product-keys.ts'

/** Stands between the product and its database, and can cut it off. */
let proxy: Server
let isCut = false
const sockets = new Set<Socket>()
let database: TestDatabase
let assay: Assay

beforeAll(async () => {
  database = await createDatabase()
  const target = new URL(database.url)
  proxy = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const server = connect(Number(target.port), target.hostname)
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket)
          client.destroy()
          server.destroy()
        })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(database.url)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  assay = await startAssay({
    mode: 'in-process',
    env: {
      DATABASE_URL: url.href,
      ...productKeys(),
      EXAMPLES: 'false',
    },
  })
})
afterAll(async () => {
  await assay.stop()
  proxy.close()
  await database.drop()
})

function cut(): void {
  isCut = true
  for (const socket of sockets) socket.destroy()
}

test('while the database is away ingestion answers 503 with Retry-After; then it goes on by itself', async () => {
  const statuses: number[] = []
  const acknowledged: string[] = []
  let isOver = false
  const clients = Array.from({ length: 12 }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const title = `${client} ${n}`
      const response = await fetch(`${assay.url}/api/v1/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      })
      const { result } = (await response.json()) as Ingestion
      statuses.push(response.status)
      if (response.status === 202) acknowledged.push(title)
      else {
        expect(response.status).toBe(503)
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(result).toMatchObject({ sent: 0, success: 'false', errors: [{ index: 0 }] })
        await delay(50)
      }
    }
  })
  const until = async (status: number, count: number) => {
    const begin = statuses.length
    while (statuses.slice(begin).filter((each) => each === status).length < count) await delay(10)
  }
  await until(202, 50)
  cut()
  await until(503, 12)
  isCut = false
  await until(202, 50)
  isOver = true
  await Promise.all(clients)

  const client = new pg.Client(database.url)
  await client.connect()
  const { rows } = await client.query(
    'select title, times_seen::int as seen from events.event where title = any ($1)',
    [acknowledged],
  )
  await client.end()
  expect(rows).toHaveLength(acknowledged.length)
  expect(rows.filter(({ seen }) => seen !== 1)).toEqual([])
})

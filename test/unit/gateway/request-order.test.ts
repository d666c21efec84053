import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { inOrder, MAX_WAITING } from '../../../gateway/http/connection-bounds.ts'

const refuse: RequestListener = (_, response) =>
  response.writeHead(503, { Connection: 'close' }).end('x'.repeat(300))

describe('pipelined requests of one connection', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  /** Sends them in one piece to a server that answers only what `release` names. */
  async function pipeline(...lines: string[]) {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const listener: RequestListener = (request, response) => {
      const line = `${request.method} ${request.url}`
      begun.push(line)
      ends.set(line, () => response.end(line))
      request.resume()
    }
    server = createServer(inOrder(listener, refuse))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo // it listens on TCP
    const seen = Promise.withResolvers<void>()
    let arrived = 0
    server.on('request', () => {
      if (++arrived === lines.length) seen.resolve()
    })
    const client = connect(port, '127.0.0.1').on('error', () => {})
    let received = ''
    client.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    client.write(
      lines.map((line) => `${line} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`).join(''),
    )
    await seen.promise
    await turn()
    const release = async (line: string) => {
      ends.get(line)?.()
      while (!received.includes(`\r\n\r\n${line}`)) await once(client, 'data')
      await turn()
    }
    return { begun, ends, release, client, received: () => received, arrived: () => arrived }
  }

  test('an unsafe request waits for the one before', async () => {
    const { begun, release } = await pipeline('PUT /a', 'PUT /b', 'DELETE /c')
    expect(begun).toEqual(['PUT /a'])
    await release('PUT /a')
    expect(begun).toEqual(['PUT /a', 'PUT /b'])
    await release('PUT /b')
    expect(begun).toEqual(['PUT /a', 'PUT /b', 'DELETE /c'])
  })

  test('what follows an unsafe request waits for it, and safe ones run beside each other', async () => {
    const { begun, release } = await pipeline('GET /a', 'GET /b', 'POST /c', 'GET /d', 'GET /e')
    expect(begun).toEqual(['GET /a', 'GET /b'])
    await release('GET /a')
    expect(begun).toHaveLength(2)
    await release('GET /b')
    expect(begun).toEqual(['GET /a', 'GET /b', 'POST /c'])
    await release('POST /c')
    expect(begun).toEqual(['GET /a', 'GET /b', 'POST /c', 'GET /d', 'GET /e'])
  })

  test('what waits is not run after its connection is gone', async () => {
    const { begun, client } = await pipeline('PUT /a', 'PUT /b')
    const gone = Promise.withResolvers<void>()
    client.resetAndDestroy()
    const wait = setInterval(
      () => server?.getConnections((_, count) => count === 0 && gone.resolve()),
      5,
    )
    await gone.promise
    clearInterval(wait)
    await turn()
    expect(begun).toEqual(['PUT /a'])
  })

  test('a hundred requests wait; those beyond are refused in their place, and the connection is closed', async () => {
    const lines = Array.from({ length: MAX_WAITING + 5 }, (_, index) => `PUT /${index}`)
    const { begun, client, ends, received } = await pipeline(...lines)
    const closed = once(client, 'close')
    while (begun.length <= MAX_WAITING) {
      ends.get(`PUT /${begun.length - 1}`)?.()
      await turn()
    }
    ends.get(`PUT /${MAX_WAITING}`)?.()
    await closed
    expect(begun).toHaveLength(MAX_WAITING + 1)
    const statuses = [...received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual([...Array(MAX_WAITING + 1).fill('200'), '503'])
  })

  test('200 000 requests behind one that takes long are not read', async () => {
    const { begun, client, arrived } = await pipeline('PUT /a')
    const flood = 'PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'.repeat(200_000)
    client.write(flood)
    // Still for as long as ten checks of the connections: nothing more is read.
    let before = -1
    for (let still = 0; still < 10; still = arrived() === before ? still + 1 : 0) {
      before = arrived()
      await delay(20)
    }
    expect(begun).toEqual(['PUT /a'])
    expect(arrived()).toBeGreaterThan(MAX_WAITING)
    expect(arrived()).toBeLessThan(5_000)
  })
})

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { inOrder } from '../../../gateway/http/server.ts'

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
    server = createServer(inOrder(listener))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo // it listens on TCP
    const seen = Promise.withResolvers<void>()
    let arrived = 0
    server.on('request', () => {
      if (++arrived === lines.length) seen.resolve()
    })
    const client = connect(port, '127.0.0.1')
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
    return { begun, release, client }
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
})

import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came in. */
export interface Collected {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  receivedMs: number
}

/** Answers a request, or leaves it open. @param nth which request it is, from 1 */
export type Answer = (response: ServerResponse, nth: number, request: Collected) => void

/** An HTTP server that keeps what it receives. */
export interface Collector {
  /** Address on this machine, without a slash at the end. */
  url: string
  port: number
  requests: readonly Collected[]
  /** From now on answers this way. */
  answer(how: Answer): void
  /** Waits until `count` requests match. @returns them */
  received(count: number, matches?: (request: Collected) => boolean): Promise<Collected[]>
  stop(): Promise<void>
}

/** Answers nothing but a status. */
export const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end()

export async function startCollector(how: Answer = status(204)): Promise<Collector> {
  let answer = how
  const requests: Collected[] = []
  const arrivals = new EventEmitter().setMaxListeners(0)
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const collected = { method, path: url, headers, body, receivedMs: Date.now() }
    requests.push(collected)
    answer(response, requests.length, collected)
    arrivals.emit('request')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref() // a test that fails may leave it behind
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer: (next) => {
      answer = next
    },
    async received(count, matches = () => true) {
      for (;;) {
        const found = requests.filter(matches)
        if (found.length >= count) return found
        await once(arrivals, 'request')
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

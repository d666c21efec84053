import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A subgraph that answers what a test says, whatever it is asked. */
export interface RawSubgraph {
  url: string
  sdl: string
  /** A text is sent as it is. */
  answer: unknown
  stop(): void
}

export async function startRawSubgraph(sdl: string): Promise<RawSubgraph> {
  const server = createServer((_request, response) => {
    const { answer } = raw
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const raw: RawSubgraph = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    sdl,
    answer: {},
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return raw
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A subgraph that answers what a test says, whatever it is asked. */
export interface RawSubgraph {
  url: string
  sdl: string
  answer: unknown
  stop(): void
}

export async function startRawSubgraph(sdl: string): Promise<RawSubgraph> {
  const server = createServer((_request, response) => response.end(JSON.stringify(raw.answer)))
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

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** A way to a server on which bytes take their time, in both directions. */
export interface SlowNetwork {
  url: string
  stop(): Promise<unknown>
}

export async function startSlowNetwork(url: string, bytesPerSecond: number): Promise<SlowNetwork> {
  async function* slowly(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      await delay((bytes.length / bytesPerSecond) * 1_000)
      yield bytes
    }
  }
  const { hostname, port } = new URL(url)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    // Whichever end goes first, the other one is told by the end of its connection.
    pipeline(client, slowly, upstream, () => {})
    pipeline(upstream, slowly, client, () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

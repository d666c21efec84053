import { EventEmitter, on, once } from 'node:events'
import { mapStream } from '../../../platform/async/map-stream.ts'
import { type SubgraphServer, startSubgraph } from './subgraph-server.ts'

/** A subgraph whose stream does what a test says. */
export interface Ticker extends SubgraphServer {
  /** Streams that are open. */
  live(): number
  /** Streams that were ever opened. */
  opened(): number
  tick(value: number): void
  /** Waits until so many streams are open. */
  until(live: number): Promise<void>
  /** Lets operations that wait end. */
  release(): void
  /** Waits until an operation waits. */
  held(): Promise<unknown>
}

const SDL = `
  type Query { now: Tick text(bytes: Int!): String held: Int }
  type Mutation { wait: Int }
  type Subscription { ticked: Tick flood(bytes: Int!): String refused: Int }
  type Tick @key(fields: "id") { id: ID! value: Int }
`

export async function startTicker(): Promise<Ticker> {
  const bus = new EventEmitter().setMaxListeners(0)
  let live = 0
  let opened = 0
  const changed = (by: number) => {
    live += by
    if (by > 0) opened++
    bus.emit('changed')
  }
  /** Freed in the moment in which it is left, as a stream of a good subgraph is. */
  const stream = <T, R>(source: AsyncIterable<T>, map: (value: T) => R) => {
    changed(1)
    return mapStream(
      source,
      async (value) => map(value),
      () => changed(-1),
    )
  }
  const untilReleased = async () => {
    bus.emit('held')
    await once(bus, 'released')
    return 1
  }
  async function* forEver(): AsyncGenerator<void> {
    for (;;) yield await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const server = await startSubgraph({
    sdl: SDL,
    resolvers: {
      Query: {
        now: () => ({ id: 't0', value: 0 }),
        held: untilReleased,
        text: (_root: unknown, { bytes }: { bytes: number }) => 'x'.repeat(bytes),
      },
      Mutation: { wait: untilReleased },
      Subscription: {
        ticked: { subscribe: () => stream(on(bus, 'tick'), ([ticked]) => ({ ticked })) },
        flood: {
          subscribe: (_root: unknown, { bytes }: { bytes: number }) =>
            stream(forEver(), () => ({ flood: 'x'.repeat(bytes) })),
        },
        refused: {
          subscribe: () => {
            throw new Error('not now')
          },
        },
      },
    },
  })
  return {
    ...server,
    live: () => live,
    opened: () => opened,
    tick: (value) => void bus.emit('tick', { id: `t${value}`, value }),
    async until(wanted) {
      while (live !== wanted) await once(bus, 'changed')
    },
    release: () => void bus.emit('released'),
    held: () => once(bus, 'held'),
  }
}

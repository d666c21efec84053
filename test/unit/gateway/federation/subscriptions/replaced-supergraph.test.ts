import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SubgraphLink } from '../../../../../gateway/federation/links/link.ts'
import { LiveStreams } from '../../../../../gateway/federation/subscriptions/live-streams.ts'
import { loadSupergraph } from '../../../../../gateway/federation/supergraph/supergraph.ts'
import { createLogger } from '../../../../../platform/process/logger.ts'
import { eventually } from '../../../../support/eventually.ts'

const SDL = readFileSync(
  new URL('../../../../../schema/supergraph.graphql', import.meta.url),
  'utf8',
)
const CONTEXT = { caller: { requestId: 'one', user: 'ada', permissions: [] } }

/** A stream that stays silent. */
const silent = (): AsyncIterableIterator<never> => {
  const stream: AsyncIterableIterator<never> = {
    next: () => new Promise(() => {}),
    return: async () => ({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => stream,
  }
  return stream
}

const LINKS = ['accounts', 'events', 'server', 'test-execution'].map(
  (name): SubgraphLink => ({
    name,
    execute: async () => ({ data: {} }),
    subscribe: async () => silent(),
    stop: async () => {},
  }),
)

test('a stream that goes on in a new supergraph does not keep the former one in memory', async () => {
  setFlagsFromString('--expose-gc')
  const log = createLogger('silent')
  const streams = new LiveStreams(log)
  const load = () => loadSupergraph(SDL, LINKS, log, { streams })
  const subscribed = async () => {
    const former = load()
    const operation = await former.prepare('subscription { eventReceived { cursor } }')
    if (!('run' in operation)) throw operation[0]
    const events = await operation.subscribe({}, CONTEXT)
    if (!('deliverTo' in events)) throw events.errors?.[0]
    const ends: unknown[] = []
    const place = events.deliverTo({
      event: () => {},
      end: (error) => void ends.push(error),
      waitingBytes: () => 0,
      tooSlow: () => {},
    })
    await place.opened
    return { place, ends, former: new WeakRef(former.schema) }
  }
  const { place, ends, former } = await subscribed()
  const next = load()
  await streams.reload(async ({ text }) => {
    const operation = await next.prepare(text)
    return 'run' in operation ? operation.subscription : undefined
  })
  await eventually(async () => {
    runInNewContext('gc')()
    expect(former.deref()).toBeUndefined()
  })
  expect({ size: streams.size, ends }).toEqual({ size: 1, ends: [] })
  place.leave()
  expect(streams.size).toBe(0)
})

import type { Options, Request } from 'autocannon'
import { type Assay, startAssay } from '../support/assay.ts'
import { built } from './built.ts'
import { createClient } from './client.ts'
import { execute, store } from './execution.ts'
import { ownProcessorMs } from './processor-time.ts'
import { event, json, send } from './requests.ts'
import { format, print, summarize } from './samples.ts'

const ROUNDS = 9
const ROUND_SECONDS = 2
const CONNECTIONS = 16

/** The same operation over both interfaces, for each connection on something else. */
interface Pair {
  title: string
  rest: Request[]
  graphql: Request[]
}

/** Cost that the REST interface adds to an operation: processor time per request, in turns. */
export async function benchBridge(): Promise<void> {
  print(
    `\n## The same operation over REST and over /graphql, in turns: ${ROUNDS} × ${ROUND_SECONDS} s each`,
  )
  const assay = await startAssay({ mode: 'in-process', env: { LOG_LEVEL: 'info' } })
  try {
    for (const pair of await pairsFor(assay)) {
      await compare(assay, pair)
      await compare(assay, alike(pair))
    }
  } finally {
    await assay.stop()
  }
}

async function pairsFor({ url }: Assay): Promise<Pair[]> {
  const { bridge } = await built({ bridge: 'rest-bridge/index.ts' })
  const { routes }: typeof import('../../rest-bridge/index.ts') = await import(bridge)
  const client = createClient(url)
  await store(client)
  const results: string[] = []
  for (let each = 0; each < CONNECTIONS; each++) results.push(await execute(client))
  const pair = (name: string, asked: (each: number) => Asked): Pair => {
    const [method = '', row] = name.split(' ')
    const route = routes.find((each) => each.path === row && each.method === method.toLowerCase())
    if (!route) throw new Error(`There is no ${name}`)
    const all = results.map((_, each) => asked(each))
    return {
      title: name,
      rest: all.map(({ path, body }) => ({
        path: `/api${path}`,
        ...(body ? json(body) : { method: 'GET' }),
      })),
      graphql: all.map(({ variables }) => ({
        path: '/graphql',
        ...json({ query: route.operation, variables }),
      })),
    }
  }
  return [
    pair('GET /result/:resultId', (each) => ({
      path: `/result/${results[each]}`,
      variables: { id: results[each] },
    })),
    pair('GET /testcase', (each) => ({
      path: `/testcase?pageSize=${10 + each}`,
      variables: { filter: null, sort: [], first: 10 + each, offset: 0 },
    })),
    pair('POST /v1/events', (each) => ({
      path: '/v1/events',
      variables: { input: { events: [event(each)] } },
      body: event(each),
    })),
  ]
}

/** All connections ask for the very same: queries share runs then, so that little of the operation is measured. */
const alike = ({ title, rest, graphql }: Pair): Pair => ({
  title: `${title}, all the same`,
  rest: rest.slice(0, 1),
  graphql: graphql.slice(0, 1),
})

interface Asked {
  path: string
  variables: object
  body?: object
}

/** Each connection sends one of them, again and again. */
function spread(url: string, requests: readonly Request[]): Options {
  let connections = 0
  return {
    url,
    connections: CONNECTIONS,
    setupClient(client) {
      const request = requests[connections++ % requests.length]
      if (request) client.setRequests([request])
    },
  }
}

async function compare(assay: Assay, { title, rest, graphql }: Pair): Promise<void> {
  const microseconds: Record<'rest' | 'graphql', number[]> = { rest: [], graphql: [] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, these] of Object.entries({ rest, graphql })) {
      const before = await ownProcessorMs(assay.pids.server ?? 0)
      const { requests, non2xx, errors } = await send(spread(assay.url, these), ROUND_SECONDS)
      if (non2xx + errors > 0) throw new Error(`${title} failed ${non2xx + errors} times`)
      const spent =
        (((await ownProcessorMs(assay.pids.server ?? 0)) - before) * 1_000) / requests.total
      // In the first round the compiler still learns the path.
      if (round > 0) microseconds[name as keyof typeof microseconds].push(spent)
    }
  const [bridge, direct] = [summarize(microseconds.rest).p50, summarize(microseconds.graphql).p50]
  // Ratio of each round, as the machine changes from round to round.
  const ratios = microseconds.rest.map((rest, round) => rest / (microseconds.graphql[round] ?? NaN))
  print(
    `${title}: p50 ${format(bridge)} µs over REST, ${format(direct)} µs over /graphql, ratio ${format(summarize(ratios).p50)}`,
  )
  for (const [name, samples] of Object.entries(microseconds))
    print(`  ${name}: ${samples.map(format).join(' ')}`)
}

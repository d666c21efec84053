import type { Options } from 'autocannon'
import { type Assay, startAssay } from '../_support/assay.ts'
import { built } from './built.ts'
import { createClient } from './client.ts'
import { execute, store } from './execution.ts'
import { processorMs } from './processor.ts'
import { event, json, send } from './requests.ts'
import { format, print, summarize } from './samples.ts'

const ROUNDS = 7
const ROUND_SECONDS = 2

/** The same operation over both interfaces. */
interface Pair {
  title: string
  rest: Options
  graphql: Options
}

/** What the REST interface adds to an operation: processor time per request, in turns. */
export async function benchBridge(): Promise<void> {
  print(
    `\n## The same operation over REST and over /graphql, in turns: ${ROUNDS} × ${ROUND_SECONDS} s each`,
  )
  const assay = await startAssay({ mode: 'in-process', env: { LOG_LEVEL: 'info' } })
  try {
    for (const pair of await pairsFor(assay)) await compare(assay, pair)
  } finally {
    await assay.stop()
  }
}

async function pairsFor({ url }: Assay): Promise<Pair[]> {
  const { bridge } = await built({ bridge: 'rest-bridge/index.ts' })
  const { routes }: typeof import('../../rest-bridge/index.ts') = await import(bridge)
  const client = createClient(url)
  await store(client)
  const resultId = await execute(client)
  const pair = (name: string, path: string, variables: object, request: object = {}) => {
    const [method = '', row] = name.split(' ')
    const route = routes.find((each) => each.path === row && each.method === method.toLowerCase())
    if (!route) throw new Error(`There is no ${name}`)
    return {
      title: name,
      rest: { url: `${url}/api${path}`, ...request },
      graphql: { url: `${url}/graphql`, ...json({ query: route.operation, variables }) },
    }
  }
  const page = { filter: null, sort: [], first: 10, offset: 0 }
  return [
    pair('GET /result/:resultId', `/result/${resultId}`, { id: resultId }),
    pair('GET /testcase', '/testcase', page),
    pair('POST /v1/events', '/v1/events', { input: { events: [event(0)] } }, json(event(0))),
  ]
}

async function compare(assay: Assay, { title, rest, graphql }: Pair): Promise<void> {
  const microseconds: Record<'rest' | 'graphql', number[]> = { rest: [], graphql: [] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, request] of Object.entries({ rest, graphql })) {
      const before = await processorMs(assay.pids.server ?? 0)
      const { requests, non2xx, errors } = await send(request, ROUND_SECONDS)
      if (non2xx + errors > 0) throw new Error(`${title} failed ${non2xx + errors} times`)
      const spent =
        (((await processorMs(assay.pids.server ?? 0)) - before) * 1_000) / requests.total
      // In the first round the compiler still learns the path.
      if (round > 0) microseconds[name as keyof typeof microseconds].push(spent)
    }
  const [bridge, direct] = [summarize(microseconds.rest).p50, summarize(microseconds.graphql).p50]
  print(
    `${title}: p50 ${format(bridge)} µs over REST, ${format(direct)} µs over /graphql, ratio ${format(bridge / direct)}`,
  )
  for (const [name, samples] of Object.entries(microseconds))
    print(`  ${name}: ${samples.map(format).join(' ')}`)
}

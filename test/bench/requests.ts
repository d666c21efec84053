import autocannon from 'autocannon'
import type { Assay } from '../_support/assay.ts'
import { createClient } from './client.ts'
import { format, print } from './samples.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 3
const SECONDS = 6

/** One entity of each subgraph, and a link from one to the other that needs a second fetch. */
const QUERY = `query Both($execution: ID!, $event: ID!) {
  executionResult(id: $execution) { id state contextId events { id title } }
  event(id: $event) { id title status timesSeen }
}`

/** How many requests one process answers; an orientation, without anything to compare it with. */
export async function benchRequests(assay: Assay): Promise<void> {
  print(`\n## Requests, ${CONNECTIONS} connections for ${SECONDS} s after ${WARM_UP_SECONDS} s`)
  const client = createClient(assay.url)
  const posted = await client.rest<{ result: { accepted: { id: string }[] } }>(
    'POST',
    '/v1/events',
    json(event(0)),
  )
  const variables = { event: posted.result.accepted[0]?.id, execution: await execution(client) }
  const answer = await client.graphql<object>(QUERY, variables)
  print(`the query is answered with ${JSON.stringify(answer)}`)

  await load('POST /graphql, one entity of each subgraph', {
    ...json({ query: QUERY, variables }),
    url: `${assay.url}/graphql`,
  })
  let next = 0
  await load('POST /api/v1/events, one event of 100 different ones', {
    url: `${assay.url}/api/v1/events`,
    requests: [
      {
        method: 'POST',
        path: '/api/v1/events',
        setupRequest: (request) => ({ ...request, ...json(event(next++ % 100)) }),
      },
    ],
  })
}

/** The execution of the last benchmark ran a scenario of this one's store; any will do. */
async function execution(client: ReturnType<typeof createClient>): Promise<string> {
  const { id } = await client.rest<{ id: string }>(
    'POST',
    '/testcase/loan-schedule/execute?synchron=true',
    { headers: { credentials: Buffer.from('bench:secret').toString('base64') } },
  )
  return id
}

async function load(title: string, options: autocannon.Options): Promise<void> {
  const shared = { connections: CONNECTIONS, ...options }
  await autocannon({ ...shared, duration: WARM_UP_SECONDS })
  const { requests, latency, non2xx, errors } = await autocannon({ ...shared, duration: SECONDS })
  print(
    `${title}: ${format(requests.average)} requests/s · p50 ${latency.p50} ms · p99 ${latency.p99} ms · ${non2xx + errors} failed`,
  )
}

const json = (body: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const event = (number: number) => ({
  title: `Disk ${number} is filling up`,
  fingerprintFields: ['@title'],
  severity: 'WARN',
  status: 'OPEN',
  message: '91 % used',
  source: { ref: `disk-${number}`, type: 'disk' },
  properties: { mount: '/var', percent: 91 },
})

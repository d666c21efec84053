import autocannon from 'autocannon'
import type { Assay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
import { format, print } from './samples.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 3
const SECONDS = 6

/** One entity of each subgraph, and a link from one to the other that needs a second fetch. */
const QUERY = `query Both($execution: ID!, $event: ID!) {
  executionResult(id: $execution) { id state contextId events { id title } }
  event(id: $event) { id title status timesSeen }
}`

/** Number of requests one process answers; an orientation, without anything to compare it with. */
export async function benchRequests(assay: Assay): Promise<void> {
  print(`\n## Requests, ${CONNECTIONS} connections for ${SECONDS} s after ${WARM_UP_SECONDS} s`)
  const query = await joinedQuery(assay)
  print(`the query is answered with ${await (await fetch(query.url, query)).text()}`)
  await load('POST /graphql, one entity of each subgraph', query)
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

/** A query for an event and an execution that has become one. */
export async function joinedQuery({ url }: Pick<Assay, 'url'>) {
  const client = createClient(url)
  const { result } = await client.rest<Ingested>('POST', '/v1/events', json(event(0)))
  const variables = { event: result.accepted[0]?.id, execution: await endedExecution(client) }
  return { url: `${url}/graphql`, ...json({ query: QUERY, variables }) }
}

interface Ingested {
  result: { accepted: { id: string }[] }
}

export const send = (request: autocannon.Options, duration: number) =>
  autocannon({ connections: CONNECTIONS, ...request, duration })

async function load(title: string, request: autocannon.Options): Promise<void> {
  await send(request, WARM_UP_SECONDS)
  const { requests, latency, non2xx, errors } = await send(request, SECONDS)
  print(
    `${title}: ${format(requests.average)} requests/s · p50 ${latency.p50} ms · p99 ${latency.p99} ms · ${non2xx + errors} failed`,
  )
}

/** Its event is written by a job, a moment after its end. */
async function endedExecution(client: Client): Promise<string> {
  const { id } = await client.rest<{ id: string }>(
    'POST',
    '/testcase/loan-schedule/execute?synchron=true',
    { headers: { credentials: Buffer.from('bench:secret').toString('base64') } },
  )
  const query = 'query Events($id: ID!) { executionResult(id: $id) { events { id } } }'
  for (let tries = 0; tries < 1_000; tries++) {
    const { executionResult } = await client.graphql<{ executionResult: { events: object[] } }>(
      query,
      { id },
    )
    if (executionResult.events.length > 0) return id
  }
  throw new Error(`The execution ${id} did not become an event`)
}

export const json = (body: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const event = (number: number) => ({
  title: `Disk ${number} is filling up`,
  fingerprintFields: ['@title'],
  severity: 'WARN',
  status: 'OPEN',
  message: '91 % used',
  source: { ref: `disk-${number}`, type: 'disk' },
  properties: { mount: '/var', percent: 91 },
})

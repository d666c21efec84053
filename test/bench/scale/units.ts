import { createClient } from '../client.ts'
import { CREDENTIALS, ID, store } from '../execution.ts'
import { outcomeOf, type Send } from '../overload/offered.ts'
import { Connections } from '../overload/sockets.ts'
import { event, joinedQuery } from '../requests.ts'

/** A unit of work that is sent again and again. */
export interface Unit {
  send: Send
  /** Callers at a time while its cost is measured. */
  callers: number
  /** Units of one request. */
  size: number
}

const JSON_TYPE = { 'content-type': 'application/json' }
const MAX_CONNECTIONS = 1_000
const BULK = 100

/** Each unit of work that clients send, by its name. */
export async function unitsOf(url: string): Promise<{
  units: Readonly<Record<string, Unit>>
  stop(): void
}> {
  const client = createClient(url)
  await store(client)
  const joined = await joinedQuery({ url })
  const connections = new Connections(new URL(url), MAX_CONNECTIONS)
  let made = 0
  const post =
    (path: string, headers: Record<string, string>, body: () => string, wanted: number): Send =>
    async () =>
      outcomeOf(await connections.post(path, headers, body()), wanted)
  const one = () => event(made++ % 1_000)
  const many = () => JSON.stringify(Array.from({ length: BULK }, one))
  const list = JSON.stringify({
    query: '{ events(first: 50) { nodes { id title severity lastSeenAt timesSeen } } }',
  })
  const execute = `/api/testcase/${ID}/execute?synchron=true`
  return {
    units: {
      'event, sent alone': {
        ...{ callers: 16, size: 1 },
        send: post('/api/v1/events', JSON_TYPE, () => JSON.stringify(one()), 202),
      },
      'event among 100': {
        ...{ callers: 4, size: BULK },
        send: post('/api/v1/events', JSON_TYPE, many, 202),
      },
      'query of two fetches': {
        ...{ callers: 8, size: 1 },
        send: post('/graphql', JSON_TYPE, () => joined.body, 200),
      },
      'list of 50 events': {
        callers: 4,
        size: 1,
        send: post('/graphql', JSON_TYPE, () => list, 200),
      },
      'execution of a scenario': {
        ...{ callers: 4, size: 1 },
        send: post(execute, { credentials: CREDENTIALS }, () => '', 200),
      },
    },
    stop: () => connections.close(),
  }
}

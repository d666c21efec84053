import { ADMIN, ADMIN_PASSWORD, basic } from '../../support/e2e/users.ts'
import { send } from './send.ts'
import type { Attack } from './stall-corpus.ts'

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)
const EVENTS = 1_000
/** One call has 32 MiB at most. */
const CALLS = 2

const get = (path: string) => ({ method: 'GET' as const, path, headers: SIGNED_IN })

const graphql = (query: string) => ({
  path: '/graphql',
  headers: SIGNED_IN,
  body: JSON.stringify({ query }),
})

/** As many events of about the largest size as a list has on a page. @param of the content of each, besides its title */
async function store(url: string, of: (at: number) => object): Promise<void> {
  for (let call = 0; call < CALLS; call++) {
    const events = Array.from({ length: EVENTS / CALLS }, (_, at) => of(call * EVENTS + at))
    const body = JSON.stringify(events)
    const { status } = await send(url, { path: '/api/v1/events', headers: SIGNED_IN, body })
    if (status !== 202) throw new Error(`The events were refused with ${status}`)
  }
}

const LARGE = { message: 'x'.repeat(16_000), properties: { text: 'y'.repeat(16_000) } }
/** The database writes 300 digits for each. */
const EXPANDING = { properties: { numbers: Array(4_000).fill(1e300) } }

/** Reading back what is as large as it may be. The first attacks store what all read. */
export const READING_STALLS: readonly Attack[] = [
  {
    name: 'a page of 1 000 events of 32 kB',
    before: (url) => store(url, (at) => ({ title: `Large ${at}`, ...LARGE })),
    request: () => get('/api/v1/events?limit=1000'),
    status: 200,
  },
  {
    name: 'a page of 1 000 raw events of 32 kB',
    request: () => get('/api/v1/events/raw?limit=1000'),
    status: 200,
  },
  {
    name: 'a page of 1 000 events of 32 kB over GraphQL',
    request: () => graphql('{ events(first: 1000) { nodes { title message properties } } }'),
    status: 200,
  },
  {
    name: '20 pages of 100 events of 32 kB',
    request: () =>
      graphql(
        `{ ${Array.from({ length: 20 }, (_, at) => `a${at}: events(first: 100) { nodes { message properties } }`).join(' ')} }`,
      ),
    status: 200,
  },
  {
    name: 'the events of 1 000 raw events',
    request: () =>
      graphql('{ rawEvents(first: 1000) { nodes { id event { message properties } } } }'),
    status: 200,
  },
  {
    name: 'a page of 50 events whose numbers have 300 digits each',
    before: (url) => store(url, (at) => ({ title: `Digits ${at}`, ...EXPANDING })),
    request: () => get('/api/v1/events?limit=50'),
    status: 200,
  },
]

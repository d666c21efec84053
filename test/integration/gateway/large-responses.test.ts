import { createClient } from 'graphql-sse'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'

const LIMIT = 65_536
const TEXT = 'x'.repeat(1_000)
/** A product of which there is a key alone. */
const GONE = 'gone'

let products: SubgraphServer
let reviews: SubgraphServer
let gateway: FederatedGateway
beforeAll(async () => {
  products = await startSubgraph({
    sdl: `
      type Product @key(fields: "id") { id: ID! text: String fails: String }
      type Query { product: Product }
      type Mutation { change: Product }
      type Subscription { changed(times: Int!): [Product] }
    `,
    resolvers: {
      Query: { product: () => ({ id: 1 }) },
      Mutation: { change: () => ({ id: 1 }) },
      Product: {
        __resolveReference: ({ id }: { id: string }) => (id === GONE ? null : { id }),
        text: () => TEXT,
        fails: () => {
          throw new Error(TEXT)
        },
      },
      Subscription: {
        changed: {
          async *subscribe(_root: unknown, { times }: { times: number }) {
            yield { changed: Array(times).fill({ id: 1 }) }
            yield { changed: [{ id: 1 }] }
          },
        },
      },
    },
  })
  reviews = await startSubgraph({
    sdl: `
      type Review { product: Product }
      type Product @key(fields: "id") { id: ID! }
      type Query { reviews(first: Int!, id: ID = 1): [Review] }
    `,
    resolvers: {
      Query: {
        reviews: (_root: unknown, { first, id }: { first: number; id: string }) =>
          Array(first).fill({ product: { id } }),
      },
    },
  })
  gateway = await startFederatedGateway(supergraphOf({ products, reviews }), {
    OPERATION_MAX_RESPONSE: String(LIMIT),
  })
})
afterAll(async () => {
  await gateway?.stop()
  await products?.stop()
  await reviews?.stop()
})

/** A field under several names. */
const repeated = (field: string, times: number) =>
  Array.from({ length: times }, (_, at) => `a${at}: ${field}`).join(' ')

const REFUSAL = {
  message: `The response has more than ${LIMIT} characters; OPERATION_MAX_RESPONSE allows no more. Ask for fewer or smaller fields, or for a page at a time, or have the operator raise the limit.`,
  extensions: expect.objectContaining({ code: 'OPERATION_LIMIT_EXCEEDED' }),
}

test.each([
  ['a text under several names', `{ product { ${repeated('text', 70)} } }`],
  [
    'an object under several names',
    `{ ${repeated('product { text }', 49)} product { ${repeated('text', 20)} } }`,
  ],
  ['an entity at several places', '{ reviews(first: 70) { product { text } } }'],
  [
    'an entity that is repeated with several texts',
    `{ reviews(first: 7) { product { ${repeated('text', 10)} } } }`,
  ],
  [
    'nulls with long names for entities that are gone',
    `{ reviews(first: 60, id: "${GONE}") { product { ${'a'.repeat(2_000)}: text } } }`,
  ],
  ['an error of an entity at several places', '{ reviews(first: 70) { product { fails } } }'],
  [
    'errors beside data',
    `{ product { ${repeated('text', 40)} } reviews(first: 30) { product { fails } } }`,
  ],
  ['the result of a mutation', `mutation { change { ${repeated('text', 70)} } }`],
])('a response is refused that is too large by %s', async (_what, query) => {
  expect(await ask(gateway.url, query)).toEqual({ status: 200, data: null, errors: [REFUSAL] })
})

test.each([
  ['a text under several names', `{ product { ${repeated('text', 60)} } }`, 60],
  ['an entity at several places', '{ reviews(first: 60) { product { text } } }', 60],
  [
    'large entities beside repeated small ones',
    `{ product { ${repeated('text', 40)} } reviews(first: 100) { product { id } } }`,
    40,
  ],
])('a smaller response is served: %s', async (_what, query, times) => {
  const { errors, data } = await ask(gateway.url, query)
  expect(errors).toBeUndefined()
  expect(JSON.stringify(data).split(TEXT)).toHaveLength(times + 1)
})

const CHANGED = (times: number) => `subscription { changed(times: ${times}) { text } }`

test('an event is refused as a response is, and the stream goes on', async () => {
  const client = createClient({ url: `${gateway.url}/graphql`, singleConnection: false })
  const events = []
  for await (const event of client.iterate({ query: CHANGED(70) })) events.push(event)
  expect(events).toEqual([
    { data: null, errors: [REFUSAL] },
    { data: { changed: [{ text: TEXT }] } },
  ])
  client.dispose()
})

test('a response is refused over a WebSocket', async () => {
  const raw = await RawSocket.ready(gateway.url)
  raw.subscribe('1', `{ product { ${repeated('text', 70)} } }`)
  expect(await raw.next()).toMatchObject({
    type: 'next',
    payload: { data: null, errors: [REFUSAL] },
  })
  await raw.close()
})

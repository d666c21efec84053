// Two subgraphs over data that are made once, and one with a stream.
import { EventEmitter, on } from 'node:events'

const REVIEWS = 2

const products = Array.from({ length: 50 }, (_, index) => ({
  upc: `upc-${index}`,
  name: `Product ${index}`,
  price: index * 7,
}))
const reviews = new Map(
  products.map(({ upc }) => [
    upc,
    Array.from({ length: REVIEWS }, (_, index) => ({
      id: `${upc}-${index}`,
      score: index,
      body: `Review ${index} of ${upc}`,
    })),
  ]),
)

export const SUBGRAPHS = {
  products: {
    sdl: `
      extend type Query { top(first: Int!): [Product!]! }
      type Product @key(fields: "upc") { upc: ID! name: String! price: Int }
    `,
    resolvers: { Query: { top: (_root, { first }) => products.slice(0, first) } },
  },
  reviews: {
    sdl: `
      extend type Product @key(fields: "upc") { upc: ID! @external reviews: [Review!]! }
      type Review { id: ID! body: String score: Int }
      extend type Query { review(id: ID!): Review }
    `,
    resolvers: {
      Product: {
        __resolveReference: ({ upc }) => ({ upc, reviews: reviews.get(upc) }),
      },
    },
  },
}

const bus = new EventEmitter().setMaxListeners(0)

export const STREAM = {
  ticks: {
    sdl: `
      type Query { now: Float }
      type Mutation { tick: Float }
      type Subscription { ticked: Tick }
      type Tick { at: Float text: String }
    `,
    resolvers: {
      Mutation: {
        tick() {
          const at = performance.now()
          bus.emit('tick', { ticked: { at, text: 'as long as a short message is' } })
          return at
        },
      },
      Subscription: {
        ticked: {
          subscribe() {
            const events = on(bus, 'tick')
            return {
              async next() {
                const { done, value } = await events.next()
                return { done, value: value?.[0] }
              },
              return: () => events.return(),
              [Symbol.asyncIterator]() {
                return this
              },
            }
          },
        },
      },
    },
  },
}

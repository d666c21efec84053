import { gql, type Suite } from '../../../support/federation/suite.ts'

const products = [
  {
    upc: 'p1',
    name: 'Chair',
    weight: 2,
    price: 10,
    category: { id: 'c1', average: 8 },
    tags: ['a', 'b'],
  },
  { upc: 'p2', name: 'Sofa', weight: 5, price: 40, category: { id: 'c2', average: 50 }, tags: [] },
]
const RATES: Record<string, number> = { USD: 1, EUR: 2, GBP: 3 }
const rate = (currency: string) => RATES[currency] ?? 0
const productOf = ({ upc }: { upc: string }) =>
  products.find((product) => product.upc === upc) ?? null

/** `@requires`: flat, nested, of fields that require others themselves. */
export const requires: Suite = {
  name: 'requires',
  subgraphs: {
    catalog: {
      sdl: gql`
        type Query { products: [Product!]! first: Product }
        type Product @key(fields: "upc") { upc: ID! name: String weight: Int tags: [String!] category: Category }
        type Category @key(fields: "id") { id: ID! average: Int @shareable }
      `,
      resolvers: {
        Query: { products: () => products, first: () => products[0] },
        Product: { __resolveReference: productOf },
        Category: {
          __resolveReference: ({ id }: { id: string }) =>
            products.map(({ category }) => category).find((category) => category.id === id) ?? null,
        },
      },
    },
    shipping: {
      sdl: gql`
        type Product @key(fields: "upc") {
          upc: ID! weight: Int @external tags: [String!] @external category: Category @external
          shipping: Int @requires(fields: "weight")
          shippingClass: String @requires(fields: "weight category { average }")
          tagCount: Int @requires(fields: "tags")
        }
        type Category { average: Int @shareable }
      `,
      resolvers: {
        Product: {
          __resolveReference: (reference: object) => reference,
          shipping: ({ weight }: { weight?: number }) => (weight == null ? null : weight * 3),
          shippingClass: ({
            weight,
            category,
          }: {
            weight?: number
            category?: { average: number }
          }) => (category && weight != null ? `${weight}/${category.average}` : null),
          tagCount: ({ tags }: { tags?: string[] }) => tags?.length ?? null,
        },
      },
    },
    checkout: {
      sdl: gql`
        type Product @key(fields: "upc") {
          upc: ID! shipping: Int @external name: String @external
          total: Int @requires(fields: "shipping")
          line: String @requires(fields: "shipping name")
        }
      `,
      resolvers: {
        Product: {
          __resolveReference: (reference: object) => reference,
          total: ({ shipping }: { shipping?: number }) =>
            shipping == null ? null : shipping + 100,
          line: ({ shipping, name }: { shipping?: number; name?: string }) =>
            `${name}: ${shipping}`,
        },
      },
    },
  },
  operations: [
    {
      rule: 'required fields of another subgraph reach the one that requires them, and stay hidden',
      query: '{ products { upc shipping tagCount } }',
      data: {
        products: [
          { upc: 'p1', shipping: 6, tagCount: 2 },
          { upc: 'p2', shipping: 15, tagCount: 0 },
        ],
      },
    },
    {
      rule: 'required objects are sent with their required fields',
      query: '{ first { shippingClass category { id } } }',
      data: { first: { shippingClass: '2/8', category: { id: 'c1' } } },
    },
    {
      rule: 'a required field may itself require others',
      query: '{ products { total line } }',
      data: {
        products: [
          { total: 106, line: 'Chair: 6' },
          { total: 115, line: 'Sofa: 15' },
        ],
      },
    },
    {
      rule: 'aliases of required fields do not take their place',
      query: '{ first { weight: name name: weight shipping: total total: shipping line } }',
      data: { first: { weight: 'Chair', name: 2, shipping: 106, total: 6, line: 'Chair: 6' } },
      apolloFault: 'it sends the aliases as the required fields',
    },
  ],
}

/** `@requires` of fields with arguments. */
export const requiresWithArguments: Suite = {
  name: 'requires with arguments',
  subgraphs: {
    shop: {
      sdl: gql`
        type Query { products: [Product!]! }
        type Product @key(fields: "upc") {
          upc: ID! name: String weight: Int price(currency: String = "GBP"): Int category: Category
        }
        type Category { id: ID! average(currency: String!): Int @shareable }
      `,
      resolvers: {
        Query: { products: () => products },
        Product: {
          __resolveReference: productOf,
          price: ({ price }: { price: number }, { currency }: { currency: string }) =>
            price * rate(currency),
        },
        Category: {
          average: ({ average }: { average: number }, { currency }: { currency: string }) =>
            average * rate(currency),
        },
      },
    },
    freight: {
      sdl: gql`
        type Product @key(fields: "upc") {
          upc: ID! weight: Int @external price(currency: String = "GBP"): Int @external category: Category @external
          estimate: Int @requires(fields: "price(currency: \"USD\") weight")
          estimateEur: Int @requires(fields: "price(currency: \"EUR\") weight")
          estimateDefault: Int @requires(fields: "price weight")
          isCheap: Boolean @requires(fields: "price(currency: \"USD\") category { average(currency: \"USD\") }")
          averageEur(round: Boolean): Int @requires(fields: "category { average(currency: \"EUR\") }")
          depot: String
        }
        type Category { average(currency: String!): Int @shareable }
      `,
      resolvers: {
        Product: {
          __resolveReference: (reference: object) => reference,
          ...Object.fromEntries(
            ['estimate', 'estimateEur', 'estimateDefault'].map((name) => [
              name,
              ({ price, weight }: { price: number; weight: number }) => price * weight,
            ]),
          ),
          isCheap: ({ price, category }: { price: number; category: { average: number } }) =>
            price < category.average,
          averageEur: ({ category }: { category: { average: number } }) => category.average,
          depot: ({ upc }: { upc: string }) => `depot of ${upc}`,
        },
      },
    },
  },
  operations: [
    {
      rule: 'the client may ask a required field with arguments of its own',
      query: '{ products { price(currency: "EUR") estimate } }',
      data: {
        products: [
          { price: 20, estimate: 20 },
          { price: 80, estimate: 200 },
        ],
      },
      apolloFault: 'it requires what the client asked for',
    },
    {
      rule: 'the client may ask a required field without arguments',
      query: '{ products { estimate price } }',
      data: {
        products: [
          { estimate: 20, price: 30 },
          { estimate: 200, price: 120 },
        ],
      },
      apolloFault: 'it requires what the client asked for',
    },
    {
      rule: 'fields may require the same field with different arguments',
      query:
        '{ products { upc depot estimate estimateEur estimateDefault isCheap averageEur(round: true) } }',
      data: {
        products: [
          {
            upc: 'p1',
            depot: 'depot of p1',
            estimate: 20,
            estimateEur: 40,
            estimateDefault: 60,
            isCheap: false,
            averageEur: 16,
          },
          {
            upc: 'p2',
            depot: 'depot of p2',
            estimate: 200,
            estimateEur: 400,
            estimateDefault: 600,
            isCheap: true,
            averageEur: 100,
          },
        ],
      },
      apolloFault: 'it sends one of them to all',
    },
    {
      rule: 'the client may ask nested required fields with arguments of its own',
      query: '{ products { category { average(currency: "GBP") } averageEur isCheap } }',
      data: {
        products: [
          { category: { average: 24 }, averageEur: 16, isCheap: false },
          { category: { average: 150 }, averageEur: 100, isCheap: true },
        ],
      },
      apolloFault: 'it requires what the client asked for',
    },
    {
      rule: 'all of that holds with aliases and variables',
      query:
        'query ($currency: String!) { products { price: estimateEur weight: price(currency: $currency) estimate: isCheap b: estimate } }',
      variables: { currency: 'GBP' },
      data: {
        products: [
          { price: 40, weight: 30, estimate: false, b: 20 },
          { price: 400, weight: 120, estimate: true, b: 200 },
        ],
      },
      apolloFault: 'it requires what the client asked for',
    },
  ],
  notRandom: 'it mixes up the arguments of required fields',
}

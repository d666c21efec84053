// The workload that gateways publish: four subgraphs, and one deeply nested query with a response of 87 kB.
const TEXTS = ['Love it!', 'Too expensive.', 'Could be better.', 'Prefer something else.']
const LONG =
  'Each review says in some words what its author liked, and what could be better soon. '.repeat(4)

const users = Array.from({ length: 6 }, (_, index) => ({
  id: String(index + 1),
  name: `User Number ${index + 1}`,
  username: `user${index + 1}`,
}))
const products = Array.from({ length: 9 }, (_, index) => ({
  upc: String(index + 1),
  name: `Product ${index + 1}`,
  price: 899 + index * 13,
  weight: 100 + index * 7,
}))
const reviews = Array.from({ length: 12 }, (_, index) => ({
  id: String(index + 1),
  body: TEXTS[index % TEXTS.length] + LONG,
  author: users[index % 4],
  product: products[index % 5],
}))
const byId = (list, key) => new Map(list.map((each) => [each[key], each]))
const [userOf, productOf] = [byId(users, 'id'), byId(products, 'upc')]
const inStock = ({ upc }) => Number(upc) % 3 > 0

export const PUBLIC = {
  accounts: {
    sdl: `
      type Query { me: User users: [User] }
      type User @key(fields: "id") { id: ID! name: String username: String }
    `,
    resolvers: {
      Query: { me: () => users[0], users: () => users },
      User: { __resolveReference: ({ id }) => userOf.get(id) },
    },
  },
  inventory: {
    sdl: `
      extend type Product @key(fields: "upc") {
        upc: String! @external weight: Int @external price: Int @external
        inStock: Boolean shippingEstimate: Int @requires(fields: "price weight")
      }
    `,
    resolvers: {
      Product: {
        __resolveReference: (product) => ({ ...product, inStock: inStock(product) }),
        shippingEstimate: ({ price, weight }) => (price > 1_000 ? 0 : Math.round(weight * 0.5)),
      },
    },
  },
  products: {
    sdl: `
      type Query { topProducts(first: Int = 5): [Product] }
      type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }
    `,
    resolvers: {
      Query: { topProducts: (_root, { first }) => products.slice(0, first) },
      Product: { __resolveReference: ({ upc }) => productOf.get(upc) },
    },
  },
  reviews: {
    sdl: `
      type Review @key(fields: "id") { id: ID! body: String author: User product: Product }
      extend type User @key(fields: "id") { id: ID! @external reviews: [Review] }
      extend type Product @key(fields: "upc") { upc: String! @external reviews: [Review] }
    `,
    resolvers: {
      User: { reviews: ({ id }) => reviews.filter(({ author }) => author.id === id) },
      Product: { reviews: ({ upc }) => reviews.filter(({ product }) => product.upc === upc) },
    },
  },
}

export const PUBLIC_QUERY = `
  fragment User on User { id username name }
  fragment Review on Review { id body }
  fragment Product on Product { inStock name price shippingEstimate upc weight }
  query Public {
    users { ...User reviews { ...Review product { ...Product reviews { ...Review author {
      ...User reviews { ...Review product { ...Product } } } } } } }
    topProducts { ...Product reviews { ...Review author {
      ...User reviews { ...Review product { ...Product } } } } }
  }`

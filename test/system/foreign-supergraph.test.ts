import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createHandler } from 'graphql-http/lib/use/http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../support/gateway/federated-gateway.ts'
import { certFile, certOf, keyFile } from '../support/tls.ts'

/** Each subgraph, and between them every directive of the guide's table. */
const LINK = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.12", import: [
    "@key", "@requires", "@provides", "@external", "@shareable", "@interfaceObject", "@extends", "@override", "@inaccessible",
    "@tag", "@composeDirective", "@cacheTag", "@authenticated", "@requiresScopes", "@policy", "@cost", "@listSize", "@context", "@fromContext"])
  @link(url: "https://example.com/own/v1.0", import: ["@own"])
  @composeDirective(name: "@own")
directive @own on FIELD_DEFINITION\n`
const CATALOG = `${LINK}
type Query {
  products(first: Int = 2): [Product!]! @listSize(slicingArguments: ["first"]) @cost(weight: 2)
  shops: [Shop!]!
  hidden: String @inaccessible
}
interface Media @key(fields: "id") { id: ID! title: String }
type Book implements Media @key(fields: "id") { id: ID! title: String @own }
type Product @key(fields: "id") @cacheTag(format: "product-{$key.id}") {
  id: ID!
  name: String @tag(name: "public")
  weight: Int @shareable
  price: Int
  media: Media
  moved: String
  cost: Int @authenticated
  margin: Int @requiresScopes(scopes: [["finance"]])
  plan: String @policy(policies: [["planner"]])
}
type Shop @key(fields: "id") @context(name: "shop") { id: ID! currency: String best: Item }
type Item @key(fields: "id") { id: ID! label(in: String @fromContext(field: "$shop { currency }")): String }
`
const STOCK = `${LINK}
type Query { boxed: Product @provides(fields: "weight") }
type Product @key(fields: "id") {
  id: ID!
  weight: Int @external
  price: Int @external
  stock: Int
  shipping: Int @requires(fields: "weight price")
  moved: String @override(from: "catalog", label: "to-stock")
  headers: String
}
`
const REVIEWS = `${LINK}
type Media @interfaceObject @key(fields: "id") { id: ID! stars: Int }
type Product @extends @key(fields: "id") { id: ID! @external rating: Int }
`
const product = (id: string) => ({
  ...{
    id,
    name: `Product ${id}`,
    weight: 3,
    price: 7,
    moved: 'catalog',
    cost: 5,
    margin: 2,
    plan: 'grow',
  },
  media: { __typename: 'Book', id: `b${id}` },
})
const RESOLVERS = {
  Query: {
    products: (_: unknown, { first }: { first: number }) =>
      ['1', '2', '3'].slice(0, first).map(product),
    shops: () => ['EUR', 'USD'].map((currency) => ({ id: currency, currency, best: { id: 'i' } })),
  },
  Media: {
    __resolveReference: ({ id }: { id: string }) => ({ __typename: 'Book', id }),
    __resolveType: () => 'Book',
  },
  Book: {
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    title: ({ id }: { id: string }) => `Title ${id}`,
  },
  Product: { __resolveReference: ({ id }: { id: string }) => product(id) },
  Item: {
    __resolveReference: (reference: object) => reference,
    label: ({ id }: { id: string }, { in: unit }: { in: string }) => `${id} in ${unit}`,
  },
}
const REVIEWED = {
  Media: { __resolveReference: (reference: object) => reference, stars: () => 5 },
  Product: { __resolveReference: (reference: object) => reference, rating: () => 4 },
}

const handlerOf = (sdl: string, resolvers: object) =>
  createHandler({
    schema: buildSubgraphSchema({ typeDefs: parse(sdl), resolvers: resolvers as never }),
  })
const catalog = createTlsServer(
  {
    ...{ cert: certOf('first'), key: readFileSync(keyFile('first')), ca: certOf('second') },
    requestCert: true, // and refuses clients without
  },
  handlerOf(CATALOG, RESOLVERS),
)
const serve = (listener: RequestListener) => createServer(listener).listen(0, '127.0.0.1')
const reviews = serve(handlerOf(REVIEWS, REVIEWED))
const policies = serve(async (request, response) => {
  const { claims } = (await json(request)) as { claims: { sub?: string } | null }
  response.end(JSON.stringify({ granted: claims?.sub === 'ada' ? ['planner'] : [] }))
})
const keys = await generateKeyPair('RS256')
const issuer = serve(async (_, response) => {
  const key = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  response.end(JSON.stringify({ keys: [key] }))
})
const urlOf = (server: typeof reviews | typeof catalog) =>
  `localhost:${(server.address() as AddressInfo).port}`

let python: ChildProcess
let gateway: FederatedGateway
let folder: string
let token: string
beforeAll(async () => {
  catalog.listen(0, '127.0.0.1')
  python = spawn('/usr/bin/python3', [
    fileURLToPath(new URL('../support/gateway/stock.py', import.meta.url)),
  ])
  const [[port]] = await Promise.all([
    Promise.race([
      once(python.stdout ?? python, 'data'),
      once(python, 'exit').then(() => {
        throw new Error(
          'The subgraph in Python did not start: it needs python3-graphql-core of Debian',
        )
      }),
    ]),
    once(catalog, 'listening'),
  ])
  const url = `http://127.0.0.1:${String(port).trim()}/graphql`
  const supergraph = supergraphOf({
    catalog: { url: `https://${urlOf(catalog)}/graphql`, sdl: CATALOG },
    stock: { url, sdl: STOCK },
    reviews: { url: `http://${urlOf(reviews)}/graphql`, sdl: REVIEWS },
  })
  folder = await mkdtemp(join(tmpdir(), 'assay-foreign-'))
  const settings = join(folder, 'gateway.yaml')
  const own = `http://${urlOf(issuer)}`
  await writeFile(
    settings,
    `settings: { AUTH_MODE: oidc, OIDC_ISSUER: ${own}, OIDC_AUDIENCE: shop, OIDC_JWKS_URL: ${own}/keys, OPERATION_MAX_COST: 60 }
all:
  headers:
    request: [{ propagate: x-tenant }]
    response: [{ propagate: x-language }]
subgraphs:
  catalog:
    tls: { ca: ${certFile('first')}, certificate: ${certFile('second')}, key: ${keyFile('second')} }
  stock:
    headers: { request: [{ insert: x-user, claim: sub, default: nobody }, { insert: x-key, value: '{env.STOCK_KEY}' }] }
authorization: { policies: { url: 'http://${urlOf(policies)}/' } }
overrideLabels: { to-stock: true }
`,
  )
  gateway = await startFederatedGateway(supergraph, { GATEWAY_CONFIG: settings, STOCK_KEY: 'k3y' })
  token = await new SignJWT({ sub: 'ada', scope: 'finance' })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(own)
    .setAudience('shop')
    .setExpirationTime('5m')
    .sign(keys.privateKey)
})
afterAll(async () => {
  await gateway?.stop()
  python?.kill()
  for (const server of [catalog, reviews, policies, issuer]) {
    server.close()
    server.closeAllConnections()
  }
  await rm(folder, { recursive: true, force: true })
})

const asAda = () => ({ authorization: `Bearer ${token}`, 'x-tenant': 'north' })

test.each<[string, string, unknown]>([
  [
    '@key, @requires, @external, @extends and @shareable',
    '{ products(first: 1) { name weight stock shipping rating } }',
    { products: [{ name: 'Product 1', weight: 3, stock: 10, shipping: 21, rating: 4 }] },
  ],
  ['@provides', '{ boxed { weight } }', { boxed: { weight: 3 } }],
  [
    '@interfaceObject and @composeDirective',
    '{ products(first: 1) { media { __typename title stars } } }',
    { products: [{ media: { __typename: 'Book', title: 'Title b1', stars: 5 } }] },
  ],
  [
    '@override with a label of the file',
    '{ products(first: 1) { moved } }',
    { products: [{ moved: 'stock' }] },
  ],
  [
    '@context and @fromContext',
    '{ shops { best { label } } }',
    { shops: [{ best: { label: 'i in EUR' } }, { best: { label: 'i in USD' } }] },
  ],
  [
    '@authenticated, @requiresScopes and @policy',
    '{ products(first: 1) { cost margin plan } }',
    { products: [{ cost: 5, margin: 2, plan: 'grow' }] },
  ],
  [
    'rules for headers, with a claim and the environment',
    '{ products(first: 1) { headers } }',
    { products: [{ headers: 'north ada k3y' }] },
  ],
])('%s', async (_what, query, data) => {
  expect(await ask(gateway.url, query, asAda())).toEqual({ status: 200, data })
})

test('callers without a token get what they may have', async () => {
  const answer = await ask(gateway.url, '{ products(first: 1) { name cost margin plan headers } }')
  expect(answer.data).toEqual({
    products: [
      { name: 'Product 1', cost: null, margin: null, plan: null, headers: 'none nobody k3y' },
    ],
  })
  expect(answer.errors?.map(({ extensions }) => extensions.code)).toEqual(
    Array(3).fill('UNAUTHORIZED_FIELD_OR_TYPE'),
  )
})

test('@inaccessible hides, @cost and @listSize limit, and a response header comes through', async () => {
  expect(await ask(gateway.url, '{ hidden }')).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  })
  expect(await ask(gateway.url, '{ products(first: 61) { id } }')).toMatchObject({
    errors: [{ extensions: { code: 'OPERATION_LIMIT_EXCEEDED' } }],
  })
  const { headers } = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ boxed { id } }"}',
  })
  expect(headers.get('x-language')).toBe('Python')
})

#!/usr/bin/env bash
# Who meets it: a team that composes its supergraph with @theguild/federation-composition, the library of Hive, and adds
#   a field to all types of an interface by @interfaceObject, from a field of the other subgraph by @requires.
# Most expect: the gateway fetches what is required first, and sends it with the representation, as it does where a plain
#   entity requires a field, and where Apollo's composition made the supergraph.
# Seen: the supergraph does not say that the required field is @external there. Apollo's planner takes the subgraph for
#   one that has the field: it sends the representation without it, so the resolver computes from nothing, and it asks
#   that subgraph for the field, which answers null or an error. No error and no hint at composition.
# Source: the supergraphs and plans of both libraries, side by side.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @theguild/federation-composition@0.27.0 @apollo/composition@2.14.4 \
  @apollo/federation-internals@2.14.4 @apollo/query-planner@2.14.4 graphql@16.15.0 > /dev/null
cat > look.js <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse, print } from 'graphql'
const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@interfaceObject"])`
const KEY = '@key(fields: "id") { id: ID!'
const TAX = 'price: Int @external tax: Int @requires(fields: "price") }'
const GRAPHS = {
  'a plain entity': [
    `type Query { product: Product } type Product ${KEY} price: Int }`,
    `type Query { top: Product } type Product ${KEY} ${TAX}`,
  ],
  'an interface object': [
    `type Query { product: Product } interface Product ${KEY} price: Int } type Book implements Product ${KEY} price: Int }`,
    `type Query { top: Product } type Product @interfaceObject ${KEY} ${TAX}`,
  ],
}
/** Each fetch in order, as subgraph and what it is asked: the attributes of the representation come first. */
const fetches = (node) => {
  if (node.kind !== 'Fetch') return [node.node ?? [], node.nodes ?? []].flat().flatMap(fetches)
  const given = (node.requires ?? []).flatMap(({ selections }) => selections.map(({ name }) => name))
  const asked = print(parse(node.operation)).match(/\b(price|tax)\b/g) ?? []
  return [`${node.serviceName}(${given.filter((name) => name === 'price')}) ${asked}`]
}
const plan = (compose, sdls, query) => {
  const { supergraphSdl, errors } = compose(
    sdls.map((sdl, at) => ({ name: 'ab'[at], url: 'http://a', typeDefs: parse(`${LINK} ${sdl}`) })),
  )
  if (!supergraphSdl) throw new AggregateError(errors)
  const supergraph = Supergraph.build(supergraphSdl)
  const operation = operationFromDocument(supergraph.apiSchema(), parse(query))
  return fetches(new QueryPlanner(supergraph).buildQueryPlan(operation).node).join(', then ')
}
console.log('expected: tax is asked with price in the representation, price of a alone')
const seen = Object.entries(GRAPHS).flatMap(([kind, sdls]) =>
  ['{ product { tax } }', '{ top { price } }'].map((query) => {
    const plans = [apollo, hive].map((compose) => plan(compose, sdls, query))
    console.log(`${kind}, ${query}\n  Apollo: ${plans[0]}\n  Hive:   ${plans[1]}`)
    return plans
  }),
)
const TAXED = 'a() price, then b(price) tax'
const [plain, plainTop, object, objectTop] = seen
process.exitCode =
  [plain[0], plain[1], object[0]].every((each) => each === TAXED) &&
  object[1] === 'a() , then b() tax' &&
  [plainTop[0], plainTop[1], objectTop[0]].every((each) => each.endsWith('then a() price')) &&
  objectTop[1] === 'b() price'
    ? 0
    : 1
JS
node look.js

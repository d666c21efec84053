#!/usr/bin/env bash
# Who meets it: a team whose subgraph has an entity interface, of which one type requires a field that another subgraph
#   adds to all types by @interfaceObject, where that field has an argument.
# Most expect: it composes, as it does where the field has no argument, and where a plain entity requires such a field.
# Seen: the field that composition gives to the type has lost its argument. Required without it, the graph is refused, since
#   the type does not fit its interface, which no subgraph says. Required with it, composition throws an error about itself.
# Source: composition of four graphs that differ in this alone; found by random graphs.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @apollo/composition@2.14.4 graphql@16.15.0 > /dev/null
cat > look.js <<'JS'
import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key", "@external", "@requires", "@interfaceObject"])`
const KEY = '@key(fields: "id") { id: ID!'
const book = (field, fields, of = ' implements Product') =>
  `type Book${of} ${KEY} ${field} @external label: String @requires(fields: "${fields}") }`
const [PLAIN, WITH] = ['price: Int', 'price(currency: Int): Int']
const product = (required) => `type Query { product: Product } interface Product ${KEY} } ${required}`
const object = (field) => `type Product @interfaceObject ${KEY} ${field} }`
const GRAPHS = {
  'a plain entity, with the argument': [
    `type Query { book: Book } ${book(WITH, 'price(currency: 1)', '')}`,
    `type Book ${KEY} ${WITH} }`,
  ],
  'an interface object, a field without arguments': [product(book(PLAIN, 'price')), object(PLAIN)],
  'an interface object, without the argument': [product(book(WITH, 'price')), object(WITH)],
  'an interface object, with the argument': [product(book(WITH, 'price(currency: 1)')), object(WITH)],
}
const composed = (sdls) => {
  const services = sdls.map((sdl, at) => ({ name: 'ab'[at], url: 'http://a', typeDefs: parse(`${LINK} ${sdl}`) }))
  try {
    const { supergraphSdl, errors } = composeServices(services)
    return supergraphSdl ? 'composes' : `refused: ${errors.join(' ')}`
  } catch (error) {
    return `throws: ${error.message}`
  }
}
console.log('@apollo/composition 2.14.4; expected: all four compose')
const seen = Object.entries(GRAPHS).map(([what, sdls]) => {
  const result = composed(sdls)
  console.log(`${what}: ${result}`)
  return result
})
process.exitCode =
  seen[0] === 'composes' &&
  seen[1] === 'composes' &&
  /^refused: .*Book.price does not provide it/.test(seen[2]) &&
  /^throws: .*no "incompatible" subgraphs/.test(seen[3])
    ? 0
    : 1
JS
node look.js

#!/usr/bin/env bash
# Who meets it: a team with a federated graph whose subgraph has a @oneOf input, which GraphQL has built in since
#   September 2025, and Apollo's composition behind Rover or in a gateway.
# Most expect: @oneOf is in the supergraph as @specifiedBy and @deprecated are, which GraphQL has built in as well.
# Seen: without a definition of the directive the composition fails, "Unknown directive". With the definition, as other
#   libraries print it into their SDL, it succeeds, names no hint, and the supergraph has a plain input without required
#   fields: the router's introspection denies isOneOf, `{}` and two fields pass its validation, and reach the subgraph.
#   @composeDirective, the way for directives of one's own, is refused for a definition without a specification.
# Source: the supergraph itself; Apollo Federation's list of composed directives does not name @oneOf.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @apollo/composition@2.14.4 graphql@16.15.0 > /dev/null
cat > look.js <<'JS'
import { composeServices } from '@apollo/composition'
import { buildSchema, parse, validate, version } from 'graphql'
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective"])'
const SDL = `
scalar Day @specifiedBy(url: "https://example.com/day")
type Query { find(by: By!): Day }
input By @oneOf { id: ID name: String }`
const DEFINITION = 'directive @oneOf on INPUT_OBJECT'
const composed = (...parts) =>
  composeServices([{ name: 'a', url: 'http://a', typeDefs: parse([LINK, ...parts, SDL].join('\n')) }])
const faults = (schema, by) => validate(schema, parse(`{ find(by: ${by}) }`)).length
const own = buildSchema(SDL)
const messages = ({ errors = [] }) => errors.map(({ message }) => message)

console.log(`graphql ${version}`)
console.log('expected: composed in each form, with @oneOf')
const bare = messages(composed())
console.log('without the definition:', bare)
const marked = messages(composed(DEFINITION, 'extend schema @composeDirective(name: "@oneOf")'))
console.log('with it and @composeDirective:', marked.length, 'errors')
const { supergraphSdl, hints, schema } = composed(DEFINITION)
const api = schema.toAPISchema().toGraphQLJSSchema()
const isOneOf = api.getType('By').isOneOf
console.log(`with it: @oneOf ${supergraphSdl.includes('@oneOf')}, @specifiedBy ${supergraphSdl.includes('@specifiedBy')}, hints ${hints.length}, isOneOf ${isOneOf}`)
const both = '{ id: "1", name: "a" }'
console.log(`faults of {} and of two fields: ${faults(own, '{}')} and ${faults(own, both)} by the subgraph, ${faults(api, '{}')} and ${faults(api, both)} by the supergraph`)
process.exitCode =
  bare.join() === '[a] Unknown directive "@oneOf".' && marked.length > 0 &&
  !supergraphSdl.includes('@oneOf') && supergraphSdl.includes('@specifiedBy') && hints.length === 0 && !isOneOf &&
  faults(own, '{}') === 1 && faults(own, both) === 1 && faults(api, '{}') === 0 && faults(api, both) === 0
    ? 0
    : 1
JS
node look.js

#!/usr/bin/env bash
# Who meets it: teams that add @context to types which clients also reach through an interface.
# Most expect: composition takes the graph, as each type behind the interface sets the context, so a query through a field
#   of the interface is planned like one with a fragment for each type.
# Seen: the planner throws "Was not able to find any options"; with the fragments written out it makes a plan.
# Source: composition of the same version, which refuses paths without a context ("could not find a match for required
#   context") and takes this one.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @apollo/composition@2.14.4 @apollo/query-planner@2.14.4 graphql@16.13.1
cat > plan.cjs <<'JS'
const { composeServices } = require('@apollo/composition')
const { DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES, operationFromDocument, Supergraph } = require('@apollo/federation-internals')
const { QueryPlanner } = require('@apollo/query-planner')
const { parse } = require('graphql')
const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@context", "@fromContext"])
  type Query { places: [Place] }
  interface Place { id: ID! best: Item }
  type Shop implements Place @key(fields: "id") @context(name: "place") { id: ID! money: String best: Item }
  type Kiosk implements Place @key(fields: "id") @context(name: "place") { id: ID! money: String best: Item }
  type Item @key(fields: "id") { id: ID! price(in: String @fromContext(field: "$place { money }")): String }
`)
const { supergraphSdl, errors } = composeServices([{ name: 'a', url: 'http://a', typeDefs }])
if (errors) throw new Error(`Composition refuses it now: ${errors}`)
const supportedFeatures = new Set([...DEFAULT_SUPPORTED_SUPERGRAPH_FEATURES, 'https://specs.apollo.dev/context/v0.1'])
const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures })
const outcome = (query) => {
  try {
    const operation = operationFromDocument(supergraph.apiSchema(), parse(query))
    return new QueryPlanner(supergraph).buildQueryPlan(operation).node.kind
  } catch (error) {
    return error.message.split(':')[0]
  }
}
console.log('query planner', require('@apollo/query-planner/package.json').version)
const expanded = outcome('{ places { ... on Shop { best { price } } ... on Kiosk { best { price } } } }')
const direct = outcome('{ places { best { price } } }')
console.log('expected: both are planned; seen:', { expanded, direct })
process.exit(expanded === 'Sequence' && direct.startsWith('Was not able to find any options') ? 0 : 1)
JS
node plan.cjs

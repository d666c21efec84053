#!/usr/bin/env bash
# Who meets it: a gateway that runs plans with `incrementalDelivery`, and a client whose named fragment holds a labelled
#   `@defer` and is spread below two fields, as one component that is shown twice.
# Most expect: a deferred block for each place, as the label is once in the document, which validation allows.
# Seen: one block, with the path of the first place; its fetches are those of both. An executor that delivers a block at its
#   path never delivers the second.
# Source: the type DeferredNode of @apollo/query-planner (label, queryPath), and apollographql.com/docs/graphos/routing/operations/defer.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund --prefer-offline @apollo/composition@2.14.4 @apollo/query-planner@2.14.4 @apollo/federation-internals@2.14.4 graphql@16.13.1 > /dev/null
cat > main.cjs <<'JS'
const { composeServices } = require('@apollo/composition')
const { QueryPlanner } = require('@apollo/query-planner')
const { Supergraph, operationFromDocument } = require('@apollo/federation-internals')
const { parse } = require('graphql')

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key"])'
const service = (name, sdl) => ({ name, url: `http://${name}.test`, typeDefs: parse(`${link} ${sdl}`) })
const { supergraphSdl } = composeServices([
  service('a', 'type Query { one: P two: P } type P @key(fields: "id") { id: ID! }'),
  service('b', 'type P @key(fields: "id") { id: ID! stars: Int }'),
])
const supergraph = Supergraph.build(supergraphSdl)
const planner = new QueryPlanner(supergraph, { incrementalDelivery: { enableDefer: true } })
const document = parse(
  '{ one { ...F } two { ...F } } fragment F on P { id ... @defer(label: "stars") { stars } }',
)
const { node } = planner.buildQueryPlan(operationFromDocument(supergraph.apiSchema(), document))
const blocks = node.deferred.map(({ label, queryPath }) => `${label} at ${queryPath.join('.')}`)
const fetched = JSON.stringify(node.deferred).match(/"path":\[[^\]]*"(one|two)"\]/g) ?? []
console.log('@apollo/query-planner', require('@apollo/query-planner/package.json').version)
console.log('expected: stars at one, stars at two')
console.log(`seen: ${blocks.join(', ')}; fetches at ${fetched.length} places`)
process.exit(blocks.join() === 'stars at one' && fetched.length === 2 ? 0 : 1)
JS
node main.cjs

#!/usr/bin/env bash
# Who meets it: a team whose build stops at breaking changes of a GraphQL schema, by GraphQL Inspector or by the function
#   of graphql-js that other checks use.
# Most expect: an argument `Int! = 10` that becomes `Int!` is a breaking change, as a new required argument is: each
#   operation that leaves it out is invalid from then on.
# Seen: GraphQL Inspector calls it dangerous, which a build passes by default, with a default that changed "to
#   'undefined'". graphql-js calls it dangerous, too. For a field of an input Inspector says the same, and graphql-js
#   reports nothing at all.
# Source: github.com/graphql/graphql-js/pull/4832 for fields of inputs, which still calls the loss dangerous; GraphQL's
#   definition of a required argument in its specification, and validate of graphql 16.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @graphql-inspector/core@8.0.0 graphql@16.15.0 > /dev/null
cat > look.js <<'JS'
import { diff } from '@graphql-inspector/core'
import { buildSchema, findBreakingChanges, findDangerousChanges, parse, validate, version } from 'graphql'
const CASES = {
  'an argument': ['type Query { list(first: Int! = 10): [Int] }', 'type Query { list(first: Int!): [Int] }', '{ list }'],
  'a field of an input': [
    'type Query { list(by: By!): [Int] } input By { first: Int! = 10, tag: String }',
    'type Query { list(by: By!): [Int] } input By { first: Int!, tag: String }',
    '{ list(by: { tag: "a" }) }',
  ],
  'for comparison, a new required argument': [
    'type Query { list: [Int] }',
    'type Query { list(first: Int!): [Int] }',
    '{ list }',
  ],
}
console.log(`graphql ${version}`)
console.log('expected: BREAKING and breaking each time')
const seen = []
for (const [what, [before, after, operation]] of Object.entries(CASES)) {
  const [former, next] = [buildSchema(before), buildSchema(after)]
  const faults = [former, next].map((schema) => validate(schema, parse(operation)).length).join(' then ')
  const inspector = (await diff(former, next)).map(({ criticality }) => criticality.level).join()
  const breaking = findBreakingChanges(former, next).length > 0
  const dangerous = findDangerousChanges(former, next).length > 0
  const own = breaking ? 'breaking' : dangerous ? 'dangerous' : 'nothing'
  console.log(`${what}: ${faults} faults in ${operation}; Inspector: ${inspector}; graphql-js: ${own}`)
  seen.push(`${faults} ${inspector} ${own}`)
}
process.exitCode =
  seen.join('; ') === '0 then 1 DANGEROUS dangerous; 0 then 1 DANGEROUS nothing; 0 then 1 BREAKING breaking' ? 0 : 1
JS
node look.js

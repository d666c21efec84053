#!/usr/bin/env bash
# Who meets it: servers and gateways that let graphql-js validate operations with @oneOf inputs, which GraphQL has built
#   in since September 2025. A gateway that validates itself and passes values on meets it first.
# Most expect: a nullable variable in a field of a @oneOf input is refused, whether the argument is `By` or `By!`; the
#   specification says so (5.6.3, All Variable Usages Are Allowed).
# Seen: it is refused for `By`, and passes for `By!`, the usual form: the rule looks at the parent's type without taking
#   its non-null wrapper off. The null then arrives at execution, where the field fails.
# Source: VariablesInAllowedPositionRule of graphql 16, beside TypeInfo.getParentInputType.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error graphql@16.15.0 > /dev/null
cat > look.js <<'JS'
import { buildSchema, parse, validate, version } from 'graphql'
const faults = (by) =>
  validate(
    buildSchema(`type Query { find(by: ${by}): Int } input By @oneOf { id: ID name: String }`),
    parse('query ($id: ID) { find(by: { id: $id }) }'),
  ).map(({ message }) => message)
console.log(`graphql ${version}`)
console.log('expected: one fault each')
for (const by of ['By', 'By!']) console.log(`find(by: ${by}):`, faults(by))
process.exitCode = faults('By').length === 1 && faults('By!').length === 0 ? 0 : 1
JS
node look.js

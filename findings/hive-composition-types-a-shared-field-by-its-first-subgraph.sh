#!/usr/bin/env bash
# Who meets it: a team that composes its supergraph with @theguild/federation-composition, the library of Hive. Two
#   subgraphs share a field; one returns an interface, the other one of its types, as federation allows.
# Most expect: the field has the wider type whichever subgraph comes first, and @join__field says what each returns, as
#   Apollo's composition writes. The library itself merges `Cat!` and `Pet` to `Pet`.
# Seen: `Cat` and `Pet` become the type of the subgraph that comes first. In one order the graph has a Pet, in the other
#   a Cat, though the second subgraph may return a Dog. For a field of Query it leaves @join__field out as well, and
#   Apollo's planner cannot load the supergraph: it looks for Pet in the subgraph that has Cat alone. No error, no hint.
# Source: the supergraphs of both libraries, side by side.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @theguild/federation-composition@0.27.0 \
  @apollo/composition@2.14.4 @apollo/federation-internals@2.14.4 graphql@16.15.0 > /dev/null
cat > look.js <<'JS'
import { composeServices as apollo } from '@apollo/composition'
import { Supergraph } from '@apollo/federation-internals'
import { composeServices as hive } from '@theguild/federation-composition'
import { parse } from 'graphql'
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@shareable"])'
const holder = (type, pet) => (type === 'Query' ? `type Query { pet: ${pet} @shareable }` : `type Query { box: Box @shareable } type Box @shareable { pet: ${pet} }`)
const CAT = 'type Cat { name: String @shareable }'
const PETS = 'interface Pet { name: String } type Cat implements Pet { name: String @shareable } type Dog implements Pet { name: String }'
const look = (compose, type, pets) => {
  const services = pets.map((pet, at) => {
    const sdl = `${LINK} ${holder(type, pet)} ${pet === 'Pet' ? PETS : CAT}`
    return { name: 'ab'[at], url: 'http://a', typeDefs: parse(sdl) }
  })
  const { supergraphSdl, errors } = compose(services)
  if (!supergraphSdl) throw new AggregateError(errors)
  const field = supergraphSdl.split('\n').find((line) => line.includes(' pet:')).trim()
  try {
    Supergraph.build(supergraphSdl).subgraphs()
    return `${field}, loads`
  } catch (error) {
    return `${field}, ${error.message.split('\n').at(-1)}`
  }
}
const joined = (...types) => types.map((type, at) => `@join__field(graph: ${'AB'[at]}, type: "${type}")`).join(' ')
const PET_CAT = `pet: Pet ${joined('Pet', 'Cat')}, loads`
const CAT_PET = `pet: Pet ${joined('Cat', 'Pet')}, loads`
const CASES = [
  ['Box', ['Pet', 'Cat'], PET_CAT, PET_CAT],
  ['Box', ['Cat', 'Pet'], CAT_PET, `pet: Cat ${joined('Cat', 'Pet')}, loads`],
  ['Box', ['Cat!', 'Pet'], CAT_PET.replace('"Cat"', '"Cat!"'), CAT_PET.replace('"Cat"', '"Cat!"')],
  ['Query', ['Pet', 'Cat'], PET_CAT, 'pet: Pet, Error: Cannot find type "Pet" in subgraph "b"'],
  ['Query', ['Cat', 'Pet'], CAT_PET, 'pet: Cat, loads'],
]
console.log('expected: both libraries alike')
const asDescribed = CASES.map(([type, pets, ofApollo, ofHive]) => {
  const seen = [look(apollo, type, pets), look(hive, type, pets)]
  console.log(`${type}, ${pets.join(' and ')}\n  Apollo: ${seen[0]}\n  Hive:   ${seen[1]}`)
  return seen[0] === ofApollo && seen[1] === ofHive
})
process.exitCode = asDescribed.every(Boolean) ? 0 : 1
JS
node look.js

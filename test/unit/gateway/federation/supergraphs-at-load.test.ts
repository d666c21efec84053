import { composeServices } from '@apollo/composition'
import { type OperationDefinitionNode, parse, validate } from 'graphql'
import { exactJson } from '../../../../gateway/exact-json.ts'
import { compileVariables } from '../../../../gateway/federation/operation/variables.ts'
import { createPlanner } from '../../../../gateway/federation/planning/planner.ts'
import { overrideLabelsOf } from '../../../../gateway/federation/supergraph/override-labels.ts'

/** @param imports directives of federation 2.12 */
function composed(imports: readonly string[], sdl: string): string {
  const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: ${JSON.stringify(imports)})`
  const { supergraphSdl, errors } = composeServices([
    { name: 'a', url: 'http://127.0.0.1/a', typeDefs: parse(link + sdl) },
    {
      name: 'b',
      url: 'http://127.0.0.1/b',
      typeDefs: parse(
        'extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key"]) type P @key(fields: "id") { id: ID! b: Int }',
      ),
    },
  ])
  if (!supergraphSdl) throw new AggregateError(errors ?? [], errors?.join())
  return supergraphSdl
}

const PLAIN = composed(['@key'], 'type Query { p: P } type P @key(fields: "id") { id: ID! }')

test('@cacheTag changes no plan', () => {
  const tagged = composed(
    ['@key', '@cacheTag'],
    'type Query { p: P @cacheTag(format: "p") } type P @key(fields: "id") @cacheTag(format: "p-{$key.id}") { id: ID! }',
  )
  const operation = parse('{ p { id b } }')
  expect(createPlanner(tagged, { validate: true }).plan(operation)).toEqual(
    createPlanner(PLAIN).plan(operation),
  )
})

test.each([
  ['@tag', 'type Query { p: P @tag(name: "t") }'],
  ['@inaccessible', 'type Query { p: P hidden: Int @inaccessible }'],
  ['@shareable', 'type Query { p: P @shareable }'],
  ['@authenticated', 'type Query { p: P @authenticated }'],
  ['@requiresScopes', 'type Query { p: P @requiresScopes(scopes: [["a"]]) }'],
  ['@policy', 'type Query { p: P @policy(policies: [["a"]]) }'],
  ['@cost', 'type Query { p: P @cost(weight: 3) }'],
  ['@listSize', 'type Query { p: P more: [Int] @listSize(assumedSize: 3) }'],
])('a supergraph with %s is taken, and planned as without', (directive, sdl) => {
  const given = composed(['@key', directive], `${sdl} type P @key(fields: "id") { id: ID! }`)
  const { schema, plan } = createPlanner(given, { validate: true })
  const operation = parse('{ p { id b } }')
  expect(plan(operation)).toEqual(createPlanner(PLAIN).plan(operation))
  expect(validate(schema, parse('{ hidden }'))).toHaveLength(1)
})

test('a supergraph with connectors is refused by their name', () => {
  const connected = PLAIN.replace(
    '@link(url: "https://specs.apollo.dev/link/v1.0")',
    '$& @link(url: "https://specs.apollo.dev/connect/v0.2", for: EXECUTION)',
  )
  expect(() => createPlanner(connected, { validate: true })).toThrow(/connect\/v0\.2/)
})

test.each([
  ['percent(100)', 'b'],
  ['percent(0)', 'a'],
  ['other', 'a'],
])('a field that moves from a to b with the label %s is asked of %s', (label, service) => {
  const link =
    'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@override"])'
  const { supergraphSdl = '' } = composeServices([
    { name: 'a', url: 'http://a', typeDefs: parse(`${link} type Query { x: String }`) },
    {
      name: 'b',
      url: 'http://b',
      typeDefs: parse(`${link} type Query { x: String @override(from: "a", label: "${label}") }`),
    },
  ])
  const { overrideLabels, plan } = createPlanner(supergraphSdl, { validate: true })
  expect(overrideLabels.others).toEqual(label === 'other' ? ['other'] : [])
  expect(plan(parse('{ x }'), null, overrideLabels.draw())).toMatchObject({ serviceName: service })
})

test('percent(n) is drawn each time', () => {
  const { draw } = overrideLabelsOf(
    parse('type A { x: Int @join__field(graph: B, overrideLabel: "percent(50)") }'),
  )
  const drawn = Array.from({ length: 1_000 }, () => draw().length)
  expect(new Set(drawn)).toEqual(new Set([0, 1]))
})

describe('an input type with @oneOf', () => {
  const sdl = composed(
    ['@key'],
    'type Query { p(by: By): P } type P @key(fields: "id") { id: ID! } input By { id: ID name: String }',
  ).replace(/input By\s+@join__type\(graph: A\)/, 'input By @join__type(graph: A) @oneOf')
  const DEFINITION = 'directive @oneOf on INPUT_OBJECT'

  test.each([sdl, `${sdl}\n${DEFINITION}`])('has one of its fields given', (supergraph) => {
    const { schema, plan } = createPlanner(supergraph, { validate: true })
    const faultsOf = (query: string) => validate(schema, parse(query)).map(({ message }) => message)
    expect(faultsOf('{ p(by: { id: 1 }) { id } }')).toEqual([])
    expect(plan(parse('{ p(by: { id: 1 }) { id } }'))).toMatchObject({ serviceName: 'a' })
    const excess = 'OneOf Input Object "By" must specify exactly one key.'
    expect(faultsOf('{ p(by: { id: 1, name: "x" }) { id } }')).toEqual([excess])
    expect(faultsOf('query ($id: ID) { p(by: { id: $id }) { id } }')).toHaveLength(1)
    const document = parse('query ($by: By) { p(by: $by) { id } }')
    const [operation] = document.definitions as readonly OperationDefinitionNode[]
    const coerce = operation && compileVariables(schema, document, operation, exactJson)
    expect(coerce?.({ by: { name: 'x' } })).toEqual({ by: { name: 'x' } })
    expect(coerce?.({ by: { id: 1, name: 'x' } })).toMatchObject([
      { message: '$by: expected exactly one of its fields' },
    ])
    expect(coerce?.({ by: { id: null } })).toMatchObject([
      { message: '$by.id: expected a value, not null' },
    ])
  })
})

test('a supergraph with @context is taken, whatever its @link says of it', () => {
  const withContext = composed(
    ['@key', '@context', '@fromContext'],
    `type Query { p: P! } type P @key(fields: "id") @context(name: "c") { id: ID! prop: String! q: Q! }
     type Q @key(fields: "id") { id: ID! field(a: String @fromContext(field: "$c { prop }")): Int! }`,
  )
  const without = withContext.replace(/(context\/v0\.1"), for: SECURITY/, '$1')
  expect(without).not.toBe(withContext)
  for (const sdl of [withContext, without])
    expect(() => createPlanner(sdl, { validate: true })).not.toThrow()
})

test('a supergraph that cannot be split into its subgraphs is refused', () => {
  const torn = PLAIN.replace(/join__field\(graph: B\)/, 'join__field(graph: B, type: "Nope")')
  expect(torn).not.toBe(PLAIN)
  expect(() => createPlanner(torn, { validate: true })).toThrow(
    /^It cannot be split into its subgraphs: /,
  )
})

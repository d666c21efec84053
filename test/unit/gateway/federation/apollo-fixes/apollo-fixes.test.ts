import { composeServices } from '@apollo/composition'
import { operationFromDocument, Supergraph } from '@apollo/federation-internals'
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner'
import { parse } from 'graphql'
import {
  APOLLO_FIXES,
  applyApolloFixes,
} from '../../../../../gateway/federation/apollo-fixes/apply.ts'
import { conditionalKeys } from '../../../../../gateway/federation/apollo-fixes/conditional-keys.ts'
import { conditionalMerge } from '../../../../../gateway/federation/apollo-fixes/conditional-merge.ts'
import { cyclicMerge } from '../../../../../gateway/federation/apollo-fixes/cyclic-merge.ts'
import { externalFields } from '../../../../../gateway/federation/apollo-fixes/external-fields.ts'
import {
  type FetchGroup,
  fetchGroupPrototype,
} from '../../../../../gateway/federation/apollo-fixes/fetch-group.ts'
import type { ApolloFix } from '../../../../../gateway/federation/apollo-fixes/fix.ts'
import { forgottenDependency } from '../../../../../gateway/federation/apollo-fixes/forgotten-dependency.ts'
import { interfaceObjectTypename } from '../../../../../gateway/federation/apollo-fixes/interface-object-typename.ts'
import { interfaceObjectTypes } from '../../../../../gateway/federation/apollo-fixes/interface-object-types.ts'
import { mergedChild } from '../../../../../gateway/federation/apollo-fixes/merged-child.ts'
import { override } from '../../../../../gateway/federation/apollo-fixes/override.ts'
import { providedInterfaceObjects } from '../../../../../gateway/federation/apollo-fixes/provided-interface-objects.ts'
import { requiredArguments } from '../../../../../gateway/federation/apollo-fixes/required-arguments/required-arguments.ts'
import { rootTypes } from '../../../../../gateway/federation/apollo-fixes/root-types.ts'
import { unmetRequirements } from '../../../../../gateway/federation/apollo-fixes/unmet-requirements.ts'
import { unorderedFetches } from '../../../../../gateway/federation/apollo-fixes/unordered-fetches.ts'
import { unresolvableKeys } from '../../../../../gateway/federation/apollo-fixes/unresolvable-keys.ts'
import { createPlanner } from '../../../../../gateway/federation/planning/planner.ts'
import { loadSupergraph } from '../../../../../gateway/federation/supergraph/supergraph.ts'
import { localLink } from '../../../../../gateway/local-link.ts'
import { plain } from '../../../../support/federation/apollo.ts'
import { CALM } from '../../../../support/federation/calm.ts'
import { linked, SILENT, schemaOf } from '../../../../support/federation/graph.ts'
import { provenanceGraph } from '../../../../support/federation/provenance-graph.ts'

type Sdls = Readonly<Record<string, string>>

const M = 'interface M @key(fields: "id") { id: ID! x: String }'
const objectOf = (name: string) =>
  `type ${name} implements M @key(fields: "id") { id: ID! x: String }`
const interfaceObject = (fields: string) =>
  `type M @key(fields: "id") @interfaceObject { id: ID! ${fields} }`

/** A field that requires one of another subgraph, which requires one of a third. */
const CHAIN: Sdls = {
  a: 'type P @key(fields: "id") { id: ID! x: String }',
  b: 'type Query { ps: [P] } type P @key(fields: "id") { id: ID! x: String @external b: String @requires(fields: "x") }',
  c: 'type P @key(fields: "id") { id: ID! b: String @external c: String @requires(fields: "b") }',
}

/** The smallest graph and operation that are answered wrongly, or not at all, without the fix. */
const DEFECTS: [string, ApolloFix, Sdls, string][] = [
  [
    'a chain over interface objects',
    interfaceObjectTypename,
    {
      a: `type Query { ms: [M] } ${M} ${objectOf('A1')}`,
      b: interfaceObject('x: String @external b: String @requires(fields: "x")'),
      c: interfaceObject('b: String @external c: String @requires(fields: "b")'),
    },
    '{ ms { c } }',
  ],
  [
    'a field of one type that an interface object requires',
    interfaceObjectTypes,
    {
      a: `type Query { ms: [M] } ${M} ${objectOf('A1')} ${objectOf('A2')}`,
      b: interfaceObject('x: String @external b1: String @requires(fields: "x") b2: String'),
      c: interfaceObject(
        'b1: String @external b2: String @external c: String @requires(fields: "b1 b2")',
      ),
    },
    '{ ms { ... on A1 { c } } }',
  ],
  [
    'a fragment on a type of an interface object whose field is provided',
    providedInterfaceObjects,
    {
      a: `type Query { a: String } ${M} ${objectOf('A1')} ${objectOf('A2')}`,
      b: `type Query { ms: [M] @provides(fields: "c") } ${interfaceObject('c: String @external')}`,
      c: interfaceObject('c: String @shareable'),
    },
    '{ ms { ... on A1 { c } } }',
  ],
  [
    'a selection that moves to a subgraph which does not resolve it',
    externalFields,
    {
      b: 'type P @key(fields: "id") { id: ID! x: String c: String @external p: P @requires(fields: "c") }',
      c: 'type Query { ps: [P] } type P @key(fields: "id") { id: ID! x: String @external c: String @requires(fields: "x") }',
    },
    '{ ps { p { x } } }',
  ],
  [
    'a required field of an entity whose key is two hops away',
    forgottenDependency,
    {
      a: 'type P @key(fields: "id") @key(fields: "sku") { id: ID! sku: String! y: String }',
      b: 'type P @key(fields: "sku") { sku: String! y: String @external b: String @requires(fields: "y") }',
      c: 'type P @key(fields: "id") @key(fields: "part area") { id: ID! part: String! area: String! }',
      d: 'type Query { ps: [P] } type P @key(fields: "part area") { part: String! area: String! }',
    },
    '{ ps { b } }',
  ],
  [
    'a fetch of what some objects need on a condition, and others always',
    conditionalMerge,
    {
      a: `type Query { ms: [M!]! m(n: Int): M a1: A1 }
        interface M @key(fields: "id") { id: ID! x(v: Int): String y: String }
        type A1 implements M @key(fields: "id") { id: ID! x(v: Int): String y: String t: String }
        type A2 implements M @key(fields: "id") { id: ID! x(v: Int): String y: String u(k: Int): String }`,
      b: `type Query { bm(n: Int): M bms: [M] } ${interfaceObject(`x(v: Int): String @external
        y: String @external
        b1: String @requires(fields: "x(v:1)") b2: String @requires(fields: "y") b3(k: Int): String b4: [M]`)}`,
      c: `type A1 @key(fields: "id") {
        id: ID! t: String @external c1: String @requires(fields: "t") c2(k: Int): String
      }`,
    },
    `query ($no: Boolean = false) {
      ms { b4 { b4 {
        b4 {
          b1
          b4 @include(if: $no) { x b2 __typename }
          ... on A1 { b2 b4 { b1 ... { b3 } __typename } }
          ... on A2 { b4 { id ... on A1 { ... @include(if: $no) { t c2 a12: t } } } }
        }
        ... on A1 { b4 { ... { b4 { b2 } } } }
      } } }
    }`,
  ],
  [
    'two fetches of the same objects by different keys, one of them on a condition',
    conditionalKeys,
    {
      a: `type P @key(fields: "id") @key(fields: "sku") {
        id: ID! sku: String! x: String @external next: P @requires(fields: "x")
      }`,
      b: `type Query { ps: [P] } type P @key(fields: "sku") {
        sku: String! x: String next: P @external b: String @requires(fields: "next { __typename }")
      }`,
    },
    'query ($no: Boolean = false) { ps { next { ... @include(if: $no) { next { sku } } b } } }',
  ],
  [
    'a required field whose key another required field leads to',
    unorderedFetches,
    {
      a: `type Query { ps: [P] } type P @key(fields: "id") @key(fields: "sku") {
        id: ID! sku: String! z: String @external a: P @requires(fields: "z")
      }`,
      b: `type P @key(fields: "id") @key(fields: "part area") {
        id: ID! part: String! area: String! a: P @external z: String @external
        b: String @requires(fields: "a { z }")
      }`,
      c: `type P @key(fields: "sku") @key(fields: "part area") {
        sku: String! part: String! area: String! z: String b: String @external
        c: String @requires(fields: "b")
      }`,
    },
    '{ ps { c } }',
  ],
  [
    'a field that is required with an argument, in a chain over interface objects',
    unorderedFetches,
    {
      a: `type Query { a: String } ${M} ${objectOf('A1')}`,
      b: `type Query { ms: [M] } ${interfaceObject('b(v: Int): String')}`,
      c: interfaceObject('b(v: Int): String @external c: String @requires(fields: "b(v: 2)")'),
      d: interfaceObject('c: String @external d: String @requires(fields: "c")'),
    },
    '{ ms { ... on A1 { d } } }',
  ],
  ['a chain that begins in a subgraph and comes back to it', mergedChild, CHAIN, '{ ps { c } }'],
  [
    'one field required with different arguments',
    requiredArguments,
    {
      a: 'type Query { ps: [P] } type P @key(fields: "id") { id: ID! x(v: Int): String }',
      b: `type P @key(fields: "id") {
        id: ID! x(v: Int): String @external
        b1: String @requires(fields: "x(v: 1)") b2: String @requires(fields: "x(v: 2)")
      }`,
    },
    '{ ps { b1 b2 } }',
  ],
]

test.each(DEFECTS)('%s', async (_what, fix, sdls, query) => {
  const { right, ...graph } = graphOf(sdls, query)
  expect(await graph.answer(allBut(fix))).not.toEqual(right)
  expect(await graph.answer(APOLLO_FIXES)).toEqual(right)
})

test('a plan that forgets what a field requires is refused, not answered wrongly', async () => {
  const { right, answer } = graphOf(CHAIN, '{ ps { c } }')
  const forgetful = allBut(mergedChild, unmetRequirements)
  const wrong = await answer(forgetful)
  expect(wrong.errors).toBeUndefined()
  expect(wrong).not.toEqual(right)
  expect(await answer([...forgetful, unmetRequirements])).toMatchObject({
    errors: [{ message: 'This operation cannot be planned' }],
  })
})

test('a fetch that would come to wait for itself is not merged', async () => {
  const { right, answer } = graphOf(
    {
      a: `type Query { n: Int } ${M} ${objectOf('A1')} ${objectOf('A2')}`,
      b: `type Query { ms: [M] } ${interfaceObject('b: String')}`,
      c: interfaceObject(`b: String @external x: String @external
        c1: String @requires(fields: "x") c2: String @requires(fields: "b")`),
    },
    '{ ms { c2 ... on A1 { c1 } } }',
  )
  let cycles = 0
  /** Ends planning before it takes all memory, 20 seconds later. */
  const refusal: ApolloFix = {
    patch: () =>
      override(
        fetchGroupPrototype(),
        'mergeInWithAllDependencies',
        (merge) =>
          function (this: FetchGroup, other: FetchGroup) {
            if (other.parents().some(({ group }) => group === this)) {
              cycles++
              throw new Error('A fetch is merged into one that it waits for')
            }
            merge.call(this, other)
          },
      ),
  }
  expect(await answer([...allBut(cyclicMerge), refusal])).not.toEqual(right)
  expect(cycles).toBe(1)
  expect(await answer(APOLLO_FIXES)).toEqual(right)
})

test('to come back to a subgraph for a required field, a key is used that it resolves', () => {
  const supergraph = composed({
    a: 'type P @key(fields: "id") @key(fields: "id sku") { id: ID! sku: ID! @shareable x: String }',
    b: `type Query { ps: [P] }
      type P @key(fields: "id", resolvable: false) @key(fields: "id sku") {
        id: ID! sku: ID! @shareable x: String @external b: String @requires(fields: "x")
      }`,
  })
  const requiredWith = (fixes: readonly ApolloFix[]) =>
    fieldsIn(planWith(supergraph, '{ ps { b } }', fixes), 'b')
  expect(requiredWith(allBut(unresolvableKeys))).not.toContain('sku')
  expect(requiredWith(APOLLO_FIXES)).toContain('sku')
})

test('a fetch asks a subgraph by its own names of root types', () => {
  const supergraph = composed({ a: 'schema { query: RootQ } type RootQ { x: Int }' })
  const query = 'query ($c: Boolean!) { ... on Query @include(if: $c) { x } }'
  const planned = (fixes: readonly ApolloFix[]) =>
    JSON.stringify(planWith(supergraph, query, fixes))
  expect(planned(allBut(rootTypes))).toContain('on Query')
  expect(planned(APOLLO_FIXES)).not.toContain('on Query')
})

const ONE: Sdls = {
  a: 'scalar Any type Query { p(any: Any): P } type P @key(fields: "id") { id: ID! x: String }',
}

test('an object whose parts are all conditional is fetched without a condition', () => {
  const supergraph = composed(ONE)
  const query = 'query ($a: Boolean!, $b: Boolean!) { p @include(if: $a) { x @include(if: $b) } }'
  const conditionsOf = (plan: unknown) =>
    JSON.stringify(plan)
      .match(/(?<="condition":")\w+/g)
      ?.sort()
  expect(conditionsOf(apollosPlan(supergraph, query))).toEqual(['a', 'b'])
  expect(conditionsOf(createPlanner(supergraph).plan(parse(query)))).toEqual(['a'])
})

test('a literal of a custom scalar keeps its digits', () => {
  const supergraph = composed(ONE)
  const query = '{ p(any: {n: 12345678901234567890.1}) { x } }'
  expect(JSON.stringify(apollosPlan(supergraph, query))).not.toContain('12345678901234567890.1')
  expect(JSON.stringify(createPlanner(supergraph).plan(parse(query)))).toContain(
    '12345678901234567890.1',
  )
})

const allBut = (...left: readonly ApolloFix[]): ApolloFix[] =>
  APOLLO_FIXES.filter((fix) => !left.includes(fix))

function composed(sdls: Sdls): string {
  const services = Object.entries(sdls).map(([name, sdl]) => ({
    name,
    url: `http://${name}.invalid`,
    typeDefs: linked(sdl),
  }))
  const { supergraphSdl, errors } = composeServices(services)
  if (!supergraphSdl) throw new AggregateError(errors ?? [], String(errors))
  return supergraphSdl
}

function graphOf(sdls: Sdls, query: string) {
  const graph = provenanceGraph('the smallest', sdls)
  const supergraphSdl = composed(sdls)
  const links = Object.entries(graph.subgraphs).map(([name, subgraph]) =>
    localLink(name, { schema: schemaOf(subgraph) }, SILENT),
  )
  return {
    right: graph.answer(createPlanner(supergraphSdl).schema, query, {}),
    async answer(given: readonly ApolloFix[]) {
      const fixes = applyApolloFixes(given)
      try {
        const operation = await loadSupergraph(supergraphSdl, links, SILENT, { fixes }).prepare(
          query,
        )
        return plain('run' in operation ? await operation.run({}, CALM) : { errors: operation })
      } finally {
        fixes.undo()
      }
    },
  }
}

function planWith(supergraph: string, query: string, given: readonly ApolloFix[]) {
  const fixes = applyApolloFixes(given)
  try {
    return createPlanner(supergraph, { fixes }).plan(parse(query))
  } finally {
    fixes.undo()
  }
}

const apollosPlan = (supergraphSdl: string, query: string): QueryPlan['node'] => {
  const supergraph = Supergraph.build(supergraphSdl)
  const operation = operationFromDocument(supergraph.apiSchema(), parse(query))
  return new QueryPlanner(supergraph).buildQueryPlan(operation).node
}

/** Names of what the fetches of entities from a subgraph require. */
function fieldsIn(plan: unknown, service: string): string[] {
  const names: string[] = []
  JSON.stringify(plan, (_key, value) => {
    if (value?.serviceName === service && value.requires)
      JSON.stringify(value.requires, (key, name) => {
        if (key === 'name') names.push(name)
        return name
      })
    return value
  })
  return names
}

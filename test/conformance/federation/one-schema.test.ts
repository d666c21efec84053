import { OperationTypeNode } from 'graphql'
import { graphOf } from '../../support/federation/graph.ts'
import type { ProvenanceGraph } from '../../support/federation/provenance-graph.ts'
import { randomOperation } from '../../support/federation/random-operation.ts'
import { seededRandom } from '../../support/federation/seeded-random.ts'
import { LINKED } from './suites/provenance-keys.ts'
import { REQUIRING } from './suites/provenance-requires.ts'
import { TYPED } from './suites/provenance-typed.ts'

const TRACED = [...REQUIRING, ...LINKED, ...TYPED]

/** `DIFFERENTIAL_SEED=7 DIFFERENTIAL_CASES=3600` runs other and more cases: 150 for each graph. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261)
const cases = Math.ceil(Number(process.env.DIFFERENTIAL_CASES ?? 360) / TRACED.length)

const named = (part: string): ProvenanceGraph => {
  const found = TRACED.find(({ name }) => name.includes(part))
  if (!found) throw new Error(`No graph is about ${part}`)
  return found
}

/** Operations that the default seed does not draw. */
const OPERATIONS: [string, ProvenanceGraph, string][] = [
  [
    'a fragment that occurs twice, of fields that require the same with other arguments',
    named('types of a union'),
    '{ us { ... on P { m ...F ...F @include(if: true) } ... on Q { p { m ...F } } } } fragment F on P { m2 same }',
  ],
  [
    'one key for different arguments, below types that are one object in another subgraph',
    named('interface object'),
    '{ a1 { b4 { ... on A2 { b4 { b4 { b3(k: 2) } } } ... on A1 { b4 { b4 { b3(k: 3) } } } } } }',
  ],
  [
    'a chain of required fields that begins and ends in one subgraph',
    named('middle of a chain'),
    '{ bps { c1 c2 { b3 } } }',
  ],
  [
    'a field that one part of an operation asks for on a condition, and another always',
    named('fields that an interface object requires'),
    `query ($no: Boolean = false, $yes: Boolean = true) {
      ms { b4 { b4 {
        b4 {
          b1
          b4 @include(if: $no) { a1: x(v: 0) b2 __typename }
          ... on A1 { b2 b4 { b1 ... on A2 { a4: b3(k: 3) } __typename } }
          ... on A2 { b4 { id ... on A1 { ... @include(if: $no) { t a11: c2(k: 7) a12: t } } } }
        }
        ... on A1 {
          b4 { ... on A1 { b4 { a19: b2 } } }
          ... on A1 { a22: b4 { ... on A2 { id @include(if: $yes) } } }
        }
      } } }
    }`,
  ],
  [
    'a field that one part of an operation never asks for, and another always',
    named('one interface object after another'),
    '{ bms { ... on A1 { c1 @include(if: false) } } bms { c1 } }',
  ],
  ['a field with its own name for an alias', named('long chain'), '{ ps: ps { id } ps { x } }'],
  [
    'an object in any order of its fields',
    named('long chain'),
    '{ p(o: { a: 1, b: 2 }) { id } p(o: { b: 2, a: 1 }) { x } }',
  ],
  [
    'two keys, one of them on a condition',
    named('three hops'),
    'query ($no: Boolean = false) { eps { ... @include(if: $no) { b1 } x } }',
  ],
  [
    'two keys, one of them on a condition within another',
    named('three hops'),
    'query ($no: Boolean = false) { eps @skip(if: $no) { ... on P @include(if: $no) { b1 } x } }',
  ],
  ['required fields of an entity whose key is far away', named('three hops'), '{ dps { b3 } }'],
  [
    'a chain to and fro between two subgraphs',
    named('long chain'),
    '{ cps { b2 } bps { b1 c1 a1 } }',
  ],
  [
    'a condition within a condition, on a chain',
    named('long chain'),
    'query ($no: Boolean = false, $yes: Boolean = true) { cps { ... @skip(if: $yes) { c1 b2 @include(if: $no) } } }',
  ],
  [
    'a key within an object, asked for and required beside it under another name',
    named('a key within an object'),
    '{ bps { ref { other: num } b1 b2 { ref: id } } cps { c1 c2 c3 { ref { num } } } }',
  ],
  [
    'two fields of an interface object, required of one type',
    named('requires two fields'),
    '{ ms { n { ... on A1 { c2 } } ... on A2 { c2 } } }',
  ],
]

test.each(OPERATIONS)('%s', async (_rule, traced, query) => {
  const graph = await graphOf(traced)
  try {
    expect(await graph.ours(query)).toEqual(traced.answer(graph.schema, query, {}))
  } finally {
    await graph.stop()
  }
})

test.each(TRACED)(
  `$name: ${cases} random operations of seed ${seed} are answered as by one schema`,
  async (traced) => {
    const graph = await graphOf(traced)
    try {
      const random = seededRandom(seed)
      let refused = 0
      for (let index = 0; index < cases; index++) {
        const { query, variables } = randomOperation(
          graph.schema,
          random,
          new Set(),
          Object.values(OperationTypeNode),
        )
        const [ours = {}] = query.startsWith('subscription')
          ? await graph.ourEvents(query, variables)
          : [await graph.ours(query, variables)]
        if (ours.errors?.[0]?.extensions?.code === 'OPERATION_LIMIT_EXCEEDED') refused++
        else
          expect({ query, variables, ...ours }).toEqual({
            query,
            variables,
            ...traced.answer(graph.schema, query, variables),
          })
      }
      expect(refused / cases).toBeLessThan(0.1)
    } finally {
      await graph.stop()
    }
  },
)

test('an operation with a field that can be reached in too many ways is refused, not planned for minutes', async () => {
  const graph = await graphOf(named('interface object'))
  try {
    const { errors } = await graph.ours(
      `{ bms { ${'b4 { '.repeat(5)} ... on A2 { b4 { ... on A1 { x } } } ${'}'.repeat(5)} } }`,
    )
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/OPERATION_MAX_PATHS allows 1000. Ask for fewer levels/),
        extensions: { code: 'OPERATION_LIMIT_EXCEEDED' },
      },
    ])
  } finally {
    await graph.stop()
  }
})

import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  isListType,
  isNonNullType,
} from 'graphql'
import { type Graph, graphOf } from '../../support/federation/graph.ts'
import { ourGraph } from '../../support/federation/our-graph.ts'
import { differencesOf } from '../../support/federation/random-cases.ts'
import { SUITES } from './suites/all.ts'
import { nulls } from './suites/nulls.ts'

/** `DIFFERENTIAL_SEED=7 DIFFERENTIAL_CASES=20000` runs other and more cases. */
const DEFAULT_SEED = 20_261
const seed = Number(process.env.DIFFERENTIAL_SEED ?? DEFAULT_SEED)
const total = Number(process.env.DIFFERENTIAL_CASES ?? 2_000)
const graphs = [
  ...SUITES.filter(({ notRandom }) => !notRandom).map((suite) => ({
    name: suite.name,
    open: () => graphOf(suite),
  })),
  { name: 'the graph of the product', open: ourGraph },
]
const cases = Math.ceil(total / graphs.length)

test.each(graphs)(
  `$name: ${cases} random cases of seed ${seed} answer as Apollo's executor does`,
  async ({ open }) => {
    const graph = await open()
    try {
      expect(await differencesOf(graph, { seed, cases })).toEqual([])
    } finally {
      await graph.stop()
    }
  },
)

describe('a rule of null propagation that is taken out', () => {
  // Other seeds may need more cases.
  const shown = { seed: DEFAULT_SEED, cases: 300 }
  let graph: Graph
  beforeAll(async () => {
    graph = await graphOf(nulls)
  })
  afterAll(() => graph?.stop())

  test.each<[string, (type: GraphQLOutputType) => GraphQLOutputType]>([
    ['an item that must not be null takes the list with it', looseItems],
    [
      'a field that must not be null takes the object with it',
      (type) => (isNonNullType(type) && !isListType(type.ofType) ? type.ofType : type),
    ],
    [
      'a list that must not be null takes the object with it',
      (type) => (isNonNullType(type) && isListType(type.ofType) ? type.ofType : type),
    ],
  ])('shows: %s', async (_rule, loosen) => {
    const loose = mapSchema(graph.schema, {
      [MapperKind.OBJECT_FIELD]: (field) => ({ ...field, type: loosen(field.type) }),
      [MapperKind.INTERFACE_FIELD]: (field) => ({ ...field, type: loosen(field.type) }),
    })
    const executor = graph.oursShapedBy(loose)
    expect(await differencesOf(graph, { ...shown, executor, enough: 1 })).toHaveLength(1)
  })

  test('while nothing shows with all of them', async () => {
    expect(await differencesOf(graph, shown)).toEqual([])
  })
})

function looseItems(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(looseItems(type.ofType))
  if (!isListType(type)) return type
  const item = looseItems(type.ofType)
  return new GraphQLList(isNonNullType(item) ? item.ofType : item)
}

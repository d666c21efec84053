import { graphOf } from './_support/graph.ts'
import { randomOperation } from './_support/random-operation.ts'
import { seededRandom } from './_support/seeded-random.ts'
import { TELLING } from './suites/telling.ts'

/** `DIFFERENTIAL_SEED=7 DIFFERENTIAL_CASES=20000` runs other and more cases. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261)
const cases = Math.ceil(Number(process.env.DIFFERENTIAL_CASES ?? 800) / TELLING.length)

test.each(TELLING)(
  `$name: ${cases} random operations of seed ${seed} are answered as by one schema`,
  async (telling) => {
    const graph = await graphOf(telling)
    try {
      const random = seededRandom(seed)
      for (let index = 0; index < cases; index++) {
        const { query, variables } = randomOperation(graph.schema, random)
        const expected = telling.answer(graph.schema, query, variables)
        expect({ query, variables, ...(await graph.ours(query, variables)) }).toEqual({
          query,
          variables,
          ...expected,
        })
      }
    } finally {
      await graph.stop()
    }
  },
  120_000,
)

import { setImmediate as turn } from 'node:timers/promises'
import { graphOf } from '../../support/federation/graph.ts'
import { gql } from '../../support/federation/suite.ts'

test('a query after the answer of the first fetch gets a read of its own', async () => {
  let begun = 0
  let asked = 0
  const gate = Promise.withResolvers<void>()
  const graph = await graphOf({
    name: 'shared runs',
    subgraphs: {
      shops: {
        sdl: gql`type Query { shop: Shop! } type Shop @key(fields: "id") { id: ID! visit: Int! }`,
        resolvers: { Query: { shop: () => ({ id: '1', visit: ++begun }) } },
      },
      owners: {
        sdl: gql`type Shop @key(fields: "id") { id: ID! owner: String! }`,
        resolvers: {
          Shop: {
            async __resolveReference() {
              asked++
              await gate.promise
              return { id: '1', owner: 'Ada' }
            },
          },
        },
      },
    },
  })
  try {
    const query = '{ shop { visit owner } }'
    const together = [graph.ours(query), graph.ours(query)]
    while (asked === 0) await turn()
    const later = graph.ours(query)
    while (begun < 2) await turn()
    gate.resolve()
    const visits = (await Promise.all([...together, later])).map(
      ({ data }) => (data as { shop: { visit: number } }).shop.visit,
    )
    expect(visits).toEqual([1, 1, 2])
  } finally {
    await graph.stop()
  }
})

import { errorsOf, toldAsOurs } from '../../support/federation/differences.ts'
import { type Graph, graphOf } from '../../support/federation/graph.ts'
import { SUITES } from './suites/all.ts'

describe.each(SUITES)('$name', (suite) => {
  let graph: Graph
  beforeAll(async () => {
    graph = await graphOf(suite)
  })
  afterAll(() => graph?.stop())

  test.each(suite.operations)(
    '$rule',
    async ({ query, variables, data, errors = [], apolloFault }) => {
      const ours = await graph.ours(query, variables)
      expect({ data: ours.data, errors: errorsOf(ours) }).toEqual({ data, errors })
      expect(JSON.stringify(ours.errors ?? [])).not.toMatch(/https?:|stack|\.ts:/)
      const apollos = await graph
        .apollos(query, variables)
        .catch((error: Error) => ({ data: undefined, errors: [error] }))
      const answer = { data: apollos.data, errors: errorsOf(toldAsOurs(apollos as typeof ours)) }
      // Fails once Apollo has fixed the fault, so that its note can go.
      if (apolloFault) expect(answer).not.toEqual({ data, errors })
      else expect(answer).toEqual({ data, errors })
    },
  )
})

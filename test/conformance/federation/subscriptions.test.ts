import type { ExecutionResult } from 'graphql'
import { errorsOf } from '../../support/federation/differences.ts'
import { type Graph, graphOf } from '../../support/federation/graph.ts'
import { streams } from './suites/streams.ts'

let graph: Graph
beforeAll(async () => {
  graph = await graphOf(streams)
})
afterAll(() => graph?.stop())

const answer = (events: readonly ExecutionResult[]) => ({
  data: events.map(({ data }) => data),
  errors: events.flatMap(errorsOf),
})

test.each(streams.operations)(
  '$rule',
  async ({ query, variables, data, errors = [], apolloFault }) => {
    expect(answer(await graph.ourEvents(query, variables))).toEqual({ data, errors })
    const apollos = answer(await graph.apolloEvents(query, variables))
    if (apolloFault) expect(apollos).not.toEqual({ data, errors })
    else expect(apollos).toEqual({ data, errors })
  },
)

test('a subscription that selects no stream is refused', async () => {
  expect(await graph.ourEvents('subscription { __typename }')).toMatchObject([
    { errors: [{ message: expect.any(String) }] },
  ])
})

import type { ResolveReference } from '../../../platform/subgraph/build-subgraph.ts'
import type { EventService } from './event.service.ts'

interface ById {
  id: string
}

/** References by which the gateway enters this subgraph. Executions, scenarios and suites belong to another one: their id is enough. */
export const references = (events: EventService): Record<string, ResolveReference<ById>> => ({
  Event: async ({ id }) => (await events.find(id)) ?? null,
  ExecutionResult: ({ id }) => ({ id }),
  TestCase: ({ id }) => ({ id }),
  Suite: ({ id }) => ({ id }),
})

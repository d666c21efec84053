import { parse } from 'graphql'
import { serveTasks } from '../../../subgraphs/shared/task-processes/serve-tasks.ts'
import { createPlanner, type PlannerOptions } from './planner.ts'

/** What the process plans for; it is ended with the supergraph. */
export interface PlanningData {
  supergraphSdl: string
  options: PlannerOptions
}

serveTasks(({ supergraphSdl, options }: PlanningData) => {
  const { plan, prepare } = createPlanner(supergraphSdl, options)
  prepare()
  return {
    plan: ({ text, operationName }: { text: string; operationName: string | null }) =>
      plan(parse(text, { noLocation: true }), operationName),
  }
})

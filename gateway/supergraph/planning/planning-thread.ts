import { workerData } from 'node:worker_threads'
import { parse } from 'graphql'
import { serveTasks } from '../../../subgraphs/shared/threads/serve-tasks.ts'
import { createPlanner, type PlannerOptions } from './planner.ts'

/** What the thread plans for; it is ended with the supergraph. */
export interface PlanningData {
  supergraphSdl: string
  options: PlannerOptions
}

const { supergraphSdl, options } = workerData as PlanningData // as plans.ts starts it
const { plan } = createPlanner(supergraphSdl, options)

serveTasks({
  plan: ({ text, operationName }: { text: string; operationName: string | null }) =>
    plan(parse(text, { noLocation: true }), operationName),
})

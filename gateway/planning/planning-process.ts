import { parse } from 'graphql'
import { serveTasks } from '../../platform/task-processes/serve-tasks.ts'
import { applyApolloFixes, createPlanner } from '../federation/planning/index.ts'
import { tooManyPaths } from '../operations/operation-limits.ts'

/** Supergraph that the process plans for; both end together. */
export interface PlanningData {
  supergraphSdl: string
  maxPaths: number | undefined
  /** True if the supergraph is not ours. */
  isForeign: boolean
}

export interface PlanningInput {
  text: string
  operationName: string | null
  overrides: readonly string[]
}

serveTasks(({ supergraphSdl, maxPaths, isForeign }: PlanningData) => {
  const { plan, prepare } = createPlanner(supergraphSdl, {
    tooManyPaths,
    ...(isForeign && { fixes: applyApolloFixes() }),
    ...(maxPaths !== undefined && { maxPaths }),
  })
  prepare()
  return {
    plan: ({ text, operationName, overrides }: PlanningInput) =>
      plan(parse(text, { noLocation: true }), operationName, overrides),
  }
})

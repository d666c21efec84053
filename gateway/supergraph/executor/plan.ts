import type { FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner'
import type { GraphQLError, GraphQLSchema } from 'graphql'
import type { Context } from '../../../subgraphs/shared/caller.ts'
import type { Logger } from '../../../subgraphs/shared/logger.ts'
import type { SubgraphLink } from '../../links/link.ts'
import { runFetch } from './fetch.ts'
import { getOwn, type Json } from './own.ts'

/** One execution of a plan: what it reads, and the data and errors that its fetches gather. */
export interface PlanRun {
  schema: GraphQLSchema
  data: Json
  errors: GraphQLError[]
  variables: Json
  context: Context
  link(name: string): SubgraphLink
  log: Logger
}

/** A compiled part of a plan. */
export type Task = (run: PlanRun) => Promise<void>

/** Turns a plan into functions once, so that running it looks nothing up. */
export function compilePlan(node: PlanNode, path: ResponsePath = []): Task {
  switch (node.kind) {
    case 'Fetch':
      return (run) => runFetch(run, node satisfies FetchNode, path)
    case 'Flatten':
      return compilePlan(node.node, [...path, ...node.path])
    case 'Sequence': {
      const tasks = node.nodes.map((child) => compilePlan(child, path))
      return async (run) => {
        for (const task of tasks) await task(run)
      }
    }
    case 'Parallel': {
      const tasks = node.nodes.map((child) => compilePlan(child, path))
      return async (run) => {
        await Promise.all(tasks.map((task) => task(run)))
      }
    }
    case 'Condition': {
      const yes = node.ifClause ? compilePlan(node.ifClause, path) : null
      const no = node.elseClause ? compilePlan(node.elseClause, path) : null
      return async (run) => {
        await (getOwn(run.variables, node.condition) ? yes : no)?.(run)
      }
    }
    case 'Defer':
      throw new Error('@defer is not offered')
  }
}

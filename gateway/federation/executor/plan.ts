import type { PlanNode, ResponsePath } from '@apollo/query-planner'
import { compileFetch } from './fetch.ts'
import { getOwn } from './own.ts'
import type { Task } from './plan-run.ts'

/** Turns a plan into functions once, so that running it looks nothing up. */
export function compilePlan(node: PlanNode, path: ResponsePath = []): Task {
  switch (node.kind) {
    case 'Fetch':
      return compileFetch(node, path)
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

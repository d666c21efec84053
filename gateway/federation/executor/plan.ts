import type { PlanNode, ResponsePath } from '@apollo/query-planner'
import { compileFetch } from './fetch.ts'
import { getOwn } from './own.ts'
import type { Task } from './plan-run.ts'
import { compileStages } from './stages.ts'
import { stepsOf } from './steps.ts'

/** Turns a plan into functions once, so that running it looks nothing up. */
export const compilePlan = (plan: PlanNode): Task =>
  compileStages(stepsOf(plan)) ?? compileNode(plan, [])

function compileNode(node: PlanNode, path: ResponsePath): Task {
  switch (node.kind) {
    case 'Fetch':
      return compileFetch(node, path)
    case 'Flatten':
      return compileNode(node.node, [...path, ...node.path])
    case 'Sequence': {
      const tasks = node.nodes.map((child) => compileNode(child, path))
      return async (run) => {
        for (const task of tasks) await task(run)
      }
    }
    case 'Parallel': {
      const tasks = node.nodes.map((child) => compileNode(child, path))
      return async (run) => {
        await Promise.all(tasks.map((task) => task(run)))
      }
    }
    case 'Condition': {
      const yes = node.ifClause ? compileNode(node.ifClause, path) : null
      const no = node.elseClause ? compileNode(node.elseClause, path) : null
      return async (run) => {
        await (getOwn(run.variables, node.condition) ? yes : no)?.(run)
      }
    }
    case 'Defer':
      throw new Error('@defer is not offered')
  }
}

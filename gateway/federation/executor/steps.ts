import type { PlanNode } from '@apollo/query-planner'
import type { Condition } from './conditions.ts'
import type { EntityFetch } from './entity-fetch.ts'
import { type PlanPath, readPath } from './response-path.ts'

/** A fetch of a plan, and what has to come before it. */
export interface Step {
  node: EntityFetch
  path: PlanPath
  /** All of them must hold. */
  conditions: readonly Condition[]
  after: readonly Step[]
  /** Label of the fragment that it fetches, if that is delivered later. */
  label?: string | undefined
}

/** The fetches of a plan, each behind those that it waits for. */
export function stepsOf(plan: PlanNode): Step[] {
  const steps: Step[] = []
  let label: string | undefined
  /** @returns what the next one in a sequence waits for */
  const collect = (
    node: PlanNode,
    path: PlanPath,
    conditions: readonly Condition[],
    after: readonly Step[],
  ): readonly Step[] => {
    switch (node.kind) {
      case 'Fetch': {
        const step = { node, path, conditions, after, label }
        steps.push(step)
        return [step]
      }
      case 'Flatten':
        return collect(node.node, [...path, ...readPath(node.path)], conditions, after)
      case 'Sequence':
        return node.nodes.reduce((last, child) => collect(child, path, conditions, last), after)
      case 'Parallel':
        return node.nodes.flatMap((child) => collect(child, path, conditions, after))
      case 'Condition': {
        const clause = (child: PlanNode | undefined, value: boolean) =>
          child
            ? collect(child, path, [...conditions, { variable: node.condition, value }], after)
            : after
        return [...new Set([...clause(node.ifClause, true), ...clause(node.elseClause, false)])]
      }
      case 'Defer': {
        const { primary, deferred } = node
        const last = primary.node ? collect(primary.node, path, conditions, after) : after
        const outer = label
        for (const { depends, node: later, ...part } of deferred) {
          label = part.label
          const named = steps.filter(({ node: { id } }) => depends.some((one) => one.id === id))
          const before = depends.length === 0 ? after : named.length > 0 ? named : last
          if (later) collect(later, path, conditions, before)
        }
        label = outer
        return last
      }
    }
  }
  collect(plan, [], [], [])
  return steps
}

import type { PlanNode, QueryPlan } from '@apollo/query-planner'
import { entityFetches } from './entity-fetch.ts'
import { withRealFields } from './real-fields.ts'
import type { RequiredFields } from './required-fields.ts'

/**
 * A plan whose fetches name the real fields again in place of required-fields.ts's own. A representation holds a field
 * once, so a fetch of fields that require it with different arguments becomes several; see entity-fetch.ts.
 */
export function fetchesOf<T extends NonNullable<QueryPlan['node']>>(
  node: T,
  required: RequiredFields,
  graphOf: (service: string) => string | undefined,
): T {
  const map = (child: PlanNode): PlanNode => {
    switch (child.kind) {
      case 'Fetch': {
        const fetches = entityFetches(child, required, graphOf(child.serviceName) ?? '')
        return fetches.length === 1 && fetches[0]
          ? fetches[0]
          : { kind: 'Parallel', nodes: fetches }
      }
      case 'Flatten':
        return { ...child, node: map(child.node) }
      case 'Sequence':
      case 'Parallel':
        return { ...child, nodes: child.nodes.map(map) }
      case 'Condition':
        return {
          ...child,
          ...(child.ifClause ? { ifClause: map(child.ifClause) } : {}),
          ...(child.elseClause ? { elseClause: map(child.elseClause) } : {}),
        }
      case 'Defer':
        return child
    }
  }
  if (node.kind !== 'Subscription') return map(node) as T
  const { primary, rest } = node
  return {
    ...node,
    primary: withRealFields(primary, required.arguments),
    ...(rest ? { rest: map(rest) } : {}),
  }
}

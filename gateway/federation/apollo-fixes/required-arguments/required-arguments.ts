import type { PlanNode } from '@apollo/query-planner'
import type { ApolloFix, PlannedSupergraph, PlanRoot } from '../fix.ts'
import { entityFetches } from './entity-fetch.ts'
import { withRealFields } from './real-fields.ts'
import { type RequiredFields, withRequiredFields } from './required-fields.ts'

/**
 * Defect: the planner gathers a required field at its name, whatever its arguments, so one field that is required with
 * different arguments has one value for all of them.
 *
 *     a: type Query { ps: [P] } type P @key(fields: "id") { id: ID! x(v: Int): String }
 *     b: type P @key(fields: "id") { id: ID! x(v: Int): String @external
 *          b1: String @requires(fields: "x(v: 1)") b2: String @requires(fields: "x(v: 2)") }
 *     { ps { b1 b2 } } → both get x(v: 2)
 *
 * Here each of them is a field of its own while the planner runs, and has its real name again in the plan. A
 * representation holds a field once, so a fetch of both becomes two; see entity-fetch.ts.
 * Text to file: "@requires with different arguments of one field". Can go when the planner gives them aliases.
 */
export const requiredArguments: ApolloFix = {
  correct(given) {
    const required = withRequiredFields(given)
    return {
      supergraph: required.supergraph,
      corrected: (plan, { graphOf }) => fetchesOf(plan, required, graphOf),
    }
  },
}

function fetchesOf(
  node: PlanRoot,
  required: RequiredFields,
  graphOf: PlannedSupergraph['graphOf'],
): PlanRoot {
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
  if (node.kind !== 'Subscription') return map(node)
  const { primary, rest } = node
  return {
    ...node,
    primary: withRealFields(primary, required.arguments),
    ...(rest ? { rest: map(rest) } : {}),
  }
}

import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner'

/** A plan of an operation that has something to fetch. */
export type PlanRoot = NonNullable<QueryPlan['node']>

/** A plan with each fetch replaced; the one that opens a stream stays one fetch. */
export function mapFetches(plan: PlanRoot, map: (fetch: FetchNode) => PlanNode): PlanRoot {
  const mapNode = (node: PlanNode): PlanNode => {
    switch (node.kind) {
      case 'Fetch':
        return map(node)
      case 'Flatten':
        return { ...node, node: mapNode(node.node) }
      case 'Sequence':
      case 'Parallel':
        return { ...node, nodes: node.nodes.map(mapNode) }
      case 'Condition':
        return {
          ...node,
          ...(node.ifClause ? { ifClause: mapNode(node.ifClause) } : {}),
          ...(node.elseClause ? { elseClause: mapNode(node.elseClause) } : {}),
        }
      case 'Defer': {
        const { primary, deferred } = node
        return {
          ...node,
          primary: { ...primary, ...(primary.node && { node: mapNode(primary.node) }) },
          deferred: deferred.map((part) => ({
            ...part,
            ...(part.node && { node: mapNode(part.node) }),
          })),
        }
      }
    }
  }
  if (plan.kind !== 'Subscription') return mapNode(plan)
  const { primary, rest } = plan
  return {
    ...plan,
    primary: map(primary) as FetchNode,
    ...(rest ? { rest: mapNode(rest) } : {}),
  }
}

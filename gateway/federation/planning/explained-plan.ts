import { prettyFormatQueryPlan, type QueryPlan } from '@apollo/query-planner'

/** A plan for people and for programs. */
export interface ExplainedPlan {
  text: string
  json: QueryPlan
}

/** @param node undefined where there is nothing to fetch */
export function explainedPlan(node: QueryPlan['node']): ExplainedPlan {
  const json: QueryPlan = { kind: 'QueryPlan', ...(node && { node }) }
  return { text: prettyFormatQueryPlan(json), json }
}

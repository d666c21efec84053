import type { FetchNode, QueryPlanSelectionNode } from '@apollo/query-planner'

/** A fetch of a plan; corrections of the planner say more of entities than it does. */
export interface EntityFetch extends FetchNode {
  /**
   * The same fetch in parts, by what their fields require: for entities that lack some of it, because a condition ruled
   * it out or it could not be fetched, but hold what other fields require.
   */
  parts?: readonly EntityFetch[]
  /** Required fields: an entity that lacks one is not asked for. `requires` holds keys then, of which one is enough. */
  required?: readonly QueryPlanSelectionNode[]
  /** Type → its keys in the subgraph. */
  keys?: ReadonlyMap<string, TypeKeys>
}

/** The keys of a type in one subgraph. */
export interface TypeKeys {
  /** The fields of each key. */
  fields: string[][]
  /** Paths of all that they hold. */
  paths: Set<string>
}

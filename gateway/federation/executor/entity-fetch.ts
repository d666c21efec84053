import type { FetchNode } from '@apollo/query-planner'

/** A fetch of a plan; corrections of the planner say more of entities than it does. */
export interface EntityFetch extends FetchNode {
  /**
   * The same fetch in parts, by what their fields require: for entities that lack some of it, because a condition ruled
   * it out or it could not be fetched, but hold what other fields require.
   */
  parts?: readonly EntityFetch[]
  /**
   * Type → its keys in the subgraph. `requires` may hold more than keys: a field that is required for some types of an
   * interface is gathered for all of them. And it may hold several keys, of which one is enough.
   */
  keys?: ReadonlyMap<string, TypeKeys>
}

/** The keys of a type in one subgraph. */
export interface TypeKeys {
  /** The fields of each key. */
  fields: string[][]
  /** Paths of the leaves of all. */
  paths: Set<string>
}

import { type FetchGroup, fetchGroupPrototype } from './fetch-group.ts'
import { overriding } from './fix.ts'

/**
 * Defect: of two fetches with the same input, one that waits for the other is merged with it and comes to wait for
 * itself. Planning then takes all memory.
 *
 *     a: interface M @key(fields: "id") { id: ID! x: String } types A1 and A2 implement M
 *     b: type Query { ms: [M] } type M @key(fields: "id") @interfaceObject { id: ID! b: String }
 *     c: type M @key(fields: "id") @interfaceObject { … c1: String @requires(fields: "x") c2: String @requires(fields: "b") }
 *     { ms { c2 ... on A1 { c1 } } } → RangeError: Invalid array length
 *
 * Text to file: "mergeInWithAllDependencies makes a fetch group its own ancestor".
 * Can go when the planner does not merge a group with its ancestors, and merges it with a child as a child.
 */
export const cyclicMerge = overriding(
  fetchGroupPrototype,
  'mergeInWithAllDependencies',
  (merge) =>
    function (this: FetchGroup, other: FetchGroup) {
      if (this.isDescendantOf(other)) return
      this.removeChild(other)
      merge.call(this, other)
    },
)

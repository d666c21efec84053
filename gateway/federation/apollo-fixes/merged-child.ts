import { type FetchGroup, fetchGroupPrototype } from './fetch-group.ts'
import { overriding } from './fix.ts'

/**
 * Defect: a fetch is merged into the one that it waits for, of the same subgraph, although it waits for a third one. What
 * that gathers for it is forgotten. The planner in Rust has the same one:
 * https://github.com/apollographql/router/pull/9967
 *
 *     a: type P @key(fields: "id") { id: ID! x: String }
 *     b: type Query { ps: [P] } type P @key(fields: "id") { id: ID! x: String @external b: String @requires(fields: "x") }
 *     c: type P @key(fields: "id") { id: ID! b: String @external c: String @requires(fields: "b") }
 *     { ps { c } } → b is asked for its b without x
 *
 * Can go when `canMergeChildIn` refuses children with several parents.
 */
export const mergedChild = overriding(
  fetchGroupPrototype,
  'canMergeChildIn',
  (canMergeChildIn) =>
    function (this: FetchGroup, child: FetchGroup) {
      return child.parents().length === 1 && canMergeChildIn.call(this, child)
    },
)

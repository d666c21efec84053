import { type FetchGroup, fetchGroupPrototype, type Parent } from './fetch-group.ts'
import { overriding } from './fix.ts'

/**
 * Defect: a fetch that waits for what it requires, besides its key, drops that dependency where no path to it is known,
 * so it is sent before the required field is there.
 *
 *     a: type P @key(fields: "id") @key(fields: "sku") { id: ID! sku: String! y: String }
 *     b: type P @key(fields: "sku") { sku: String! y: String @external b: String @requires(fields: "y") }
 *     c: type P @key(fields: "id") @key(fields: "part area") { … }
 *     d: type Query { ps: [P] } type P @key(fields: "part area") { … }
 *     { ps { b } } → b is null
 *
 * A sibling, fixed upstream: https://github.com/apollographql/federation/pull/2726.
 * Text to file: "addParents forgets parents without a path, although both fetches are about the same objects".
 * Can go when a parent without a path is kept.
 */
export const forgottenDependency = overriding(
  fetchGroupPrototype,
  'addParents',
  (addParents) =>
    function (this: FetchGroup, parents: readonly Parent[]) {
      const isFirst = this.parents().length === 0
      const withPath = (parent: Parent): Parent =>
        parent.path || !areOfSameObjects(this, parent.group) ? parent : { ...parent, path: [] }
      addParents.call(this, isFirst ? parents : parents.map(withPath))
    },
)

const areOfSameObjects = (group: FetchGroup, { isEntityFetch, mergeAt }: FetchGroup): boolean =>
  isEntityFetch && String(mergeAt) === String(group.mergeAt)

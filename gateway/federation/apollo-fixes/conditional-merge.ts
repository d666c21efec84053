import { ancestorsOf, type FetchGroup, fetchGroupPrototype } from './fetch-group.ts'
import { overriding } from './fix.ts'

/**
 * Defect: of two fetches with the same input, one waits for a fetch that `@include` or `@skip` may leave out, the other
 * does not. Merged, both wait for it, and fields are missing that no condition is about.
 *
 *     b: type M @key(fields: "id") @interfaceObject { … b1: String @requires(fields: "x") b2: String @requires(fields: "y") b4: [M] }
 *     a field b2 that is asked for twice, below b4 @include(if: $no) and without a condition: it is null with $no false
 *
 * The smallest operation that is known is in the unit test; smaller ones are planned right.
 * Text to file: "mergeInWithAllDependencies merges groups whose ancestors have different conditions".
 * Can go when it compares the conditions of the ancestors.
 */
export const conditionalMerge = overriding(
  fetchGroupPrototype,
  'mergeInWithAllDependencies',
  (merge) =>
    function (this: FetchGroup, other: FetchGroup) {
      if (areSame(conditionalAbove(this), conditionalAbove(other))) merge.call(this, other)
    },
)

/** Those that it waits for and that a condition may leave out. */
const conditionalAbove = (group: FetchGroup): ReadonlySet<FetchGroup> =>
  new Set([...ancestorsOf(group)].filter((one) => one.conditions() !== true))

const areSame = (some: ReadonlySet<object>, others: ReadonlySet<object>): boolean =>
  some.size === others.size && [...some].every((one) => others.has(one))

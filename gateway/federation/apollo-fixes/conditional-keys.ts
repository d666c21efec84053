import { isDeepStrictEqual } from 'node:util'
import type { SelectionSet } from '@apollo/federation-internals'
import { ancestorsOf, type FetchGroup, fetchGroupPrototype } from './fetch-group.ts'
import { overriding } from './fix.ts'

/**
 * Defect: two fetches about the same objects that take different keys are merged, although one of these keys is gathered on
 * a condition alone. Without it that key is missing, and so is every field of both.
 *
 *     a: type P @key(fields: "id") @key(fields: "sku") { … next: P @requires(fields: "x") }
 *     b: type Query { ps: [P] } type P @key(fields: "sku") { … x: String b: String @requires(fields: "next { __typename }") }
 *     { ps { next { ... @include(if: $no) { next { sku } } b } } } → b is null with $no false
 *
 * Text to file: "canMergeSiblingIn merges groups whose inputs are gathered on different conditions".
 * Can go when it compares these.
 */
export const conditionalKeys = overriding(
  fetchGroupPrototype,
  'canMergeSiblingIn',
  (canMergeSiblingIn) =>
    function (this: FetchGroup, sibling: FetchGroup) {
      if (!canMergeSiblingIn.call(this, sibling)) return false
      return haveSameKeys(this, sibling) || ![...ancestorsOf(this)].some(hasConditions)
    },
)

const hasConditions = ({ selection }: FetchGroup): boolean =>
  /@(include|skip)\(/.test(String(selection))

/** True if both take the same of each type that both are about. */
function haveSameKeys({ inputs: some }: FetchGroup, { inputs: others }: FetchGroup): boolean {
  const [own, theirs] = [fieldsByType(some), fieldsByType(others)]
  return [...own].every(([type, fields]) => {
    const same = theirs.get(type)
    return !same || isDeepStrictEqual(fields, same)
  })
}

function fieldsByType(inputs: FetchGroup['inputs']): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const add = (set: SelectionSet, type: string): void => {
    for (const selection of set.selections())
      if (selection.kind === 'FieldSelection')
        found.set(type, (found.get(type) ?? new Set()).add(String(selection)))
      else add(selection.selectionSet, selection.element.typeCondition?.name ?? type)
  }
  for (const set of inputs?.selectionSets() ?? []) add(set, set.parentType.name)
  return found
}

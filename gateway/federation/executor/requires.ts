import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { knownKeyOf } from '../planning/response-key.ts'

/**
 * Paths of what is required, such as `owner.id`, in known names and without types → the keys that it is gathered at,
 * each behind the types and keys on the way, such as `owner.User._r06eb3771_id`.
 */
export type Required = Map<string, Set<string>>

/** @param found is added to */
export function requiredIn(
  selections: readonly QueryPlanSelectionNode[],
  found: Required = new Map(),
  above = '',
  way = '',
): Required {
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      requiredIn(selection.selections, found, above, `${way}${selection.typeCondition}.`)
      continue
    }
    const path = above + knownKeyOf(selection.name)
    const key = way + selection.name
    found.set(path, (found.get(path) ?? new Set()).add(key))
    requiredIn(selection.selections ?? [], found, `${path}.`, `${key}.`)
  }
  return found
}

/** The keys without what is on the way to them. */
export const keysOf = (ways: ReadonlySet<string> = new Set()): Set<string> =>
  new Set(Array.from(ways, (way) => way.slice(way.lastIndexOf('.') + 1)))

/**
 * The keys of an object that its representation follows from.
 * @returns undefined where it also follows from objects below
 */
export function leafKeysOf(
  selections: readonly QueryPlanSelectionNode[],
  keys = new Set(['__typename']),
): string[] | undefined {
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      if (!leafKeysOf(selection.selections, keys)) return undefined
    } else if (selection.selections) return undefined
    else keys.add(selection.alias ?? selection.name)
  }
  return [...keys]
}

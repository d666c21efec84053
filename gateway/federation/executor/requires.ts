import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { knownKeyOf } from '../planning/response-key.ts'

/** The paths of what a fetch requires, in known names, such as `owner.id`. */
export const leavesOf = (selections: readonly QueryPlanSelectionNode[], above = ''): string[] =>
  selections.flatMap((selection) => {
    if (selection.kind === 'InlineFragment') return leavesOf(selection.selections, above)
    const path = above + knownKeyOf(selection.name)
    return selection.selections ? leavesOf(selection.selections, `${path}.`) : [path]
  })

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

import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import { knownKeyOf } from '../planning/response-key.ts'

/** The paths of what a fetch requires, in known names, such as `owner.id`. */
export const leavesOf = (selections: readonly QueryPlanSelectionNode[], above = ''): string[] =>
  selections.flatMap((selection) => {
    if (selection.kind === 'InlineFragment') return leavesOf(selection.selections, above)
    const path = above + knownKeyOf(selection.name)
    return selection.selections ? leavesOf(selection.selections, `${path}.`) : [path]
  })

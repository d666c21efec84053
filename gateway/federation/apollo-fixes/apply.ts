import type { DocumentNode } from 'graphql'
import { conditionalKeys } from './conditional-keys.ts'
import { conditionalMerge } from './conditional-merge.ts'
import { cyclicMerge } from './cyclic-merge.ts'
import { externalFields } from './external-fields.ts'
import type { ApolloFix, Correction } from './fix.ts'
import { forgottenDependency } from './forgotten-dependency.ts'
import { interfaceObjectTypename } from './interface-object-typename.ts'
import { interfaceObjectTypes } from './interface-object-types.ts'
import { mergedChild } from './merged-child.ts'
import { providedInterfaceObjects } from './provided-interface-objects.ts'
import { requiredArguments } from './required-arguments/required-arguments.ts'
import { rootTypes } from './root-types.ts'
import { unmetRequirements } from './unmet-requirements.ts'
import { unorderedFetches } from './unordered-fetches.ts'
import { unresolvableKeys } from './unresolvable-keys.ts'

/** In the order in which they see the supergraph, and then the plans. */
export const APOLLO_FIXES: readonly ApolloFix[] = [
  interfaceObjectTypename,
  interfaceObjectTypes,
  providedInterfaceObjects,
  externalFields,
  forgottenDependency,
  mergedChild,
  cyclicMerge,
  conditionalMerge,
  conditionalKeys,
  unresolvableKeys,
  unorderedFetches,
  unmetRequirements,
  requiredArguments,
  rootTypes,
]

/** Fixes that are in force in this process. */
export interface ApolloFixes {
  correct(supergraph: DocumentNode): Required<Correction>
  /** Takes overridden methods back. */
  undo(): void
}

/** Has Apollo's planner, in this process, plan right for any supergraph. */
export function applyApolloFixes(fixes: readonly ApolloFix[] = APOLLO_FIXES): ApolloFixes {
  const undos = fixes.map(({ patch }) => patch?.())
  return {
    correct(given) {
      let supergraph = given
      const corrections = fixes.map(({ correct }) => {
        const correction = correct?.(supergraph)
        supergraph = correction?.supergraph ?? supergraph
        return correction
      })
      return {
        supergraph,
        corrected: (plan, planned) =>
          corrections.reduce((node, one) => one?.corrected?.(node, planned) ?? node, plan),
      }
    },
    undo() {
      for (const undo of undos.toReversed()) undo?.()
    },
  }
}

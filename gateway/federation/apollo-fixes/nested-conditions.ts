import type { PlanNode, QueryPlan } from '@apollo/query-planner'
import { type DirectiveNode, type DocumentNode, Kind, visit } from 'graphql'
import { isCoded } from '../errors.ts'
import { TYPE_NAME } from './conditional-parts.ts'

type Plan = (document: DocumentNode) => QueryPlan['node']

/** Variables that an operation is split by; each doubles the plans. */
const MAX_SPLITS = 4
/** After this, nothing is split any more: planning keeps the thread busy. */
const MAX_SPLITTING_MS = 2_000

/**
 * Defect, in any graph: the planner throws on some operations with conditions within conditions, such as
 *
 *     { cps { ... @skip(if: $yes) { c1 b2 @include(if: $no) } } } → Invalid empty selection set for fragment
 *
 * Here such an operation is planned for each value of a variable that decides them, and the plan that holds is chosen when
 * it runs. Text to file: "Invalid empty selection set where a fragment with a condition is emptied".
 * No conformance test needs it since interface-object-types.ts. Can go when long random runs need it as little.
 */
export function planBySplitting(
  document: DocumentNode,
  plan: Plan,
  until = performance.now() + MAX_SPLITTING_MS,
  splits = 0,
): QueryPlan['node'] {
  try {
    return plan(document)
  } catch (error) {
    const maySplit = splits < MAX_SPLITS && performance.now() < until
    const condition = maySplit ? conditionIn(document) : undefined
    if (isCoded(error) || !condition) throw error
    const clause = (value: boolean) =>
      planBySplitting(withVariable(document, condition, value), plan, until, splits + 1) as
        | PlanNode
        | undefined
    const ifClause = clause(true)
    const elseClause = clause(false)
    return {
      kind: 'Condition',
      condition,
      ...(ifClause ? { ifClause } : {}),
      ...(elseClause ? { elseClause } : {}),
    }
  }
}

/** @returns a variable that decides whether something is asked for; none in a subscription, whose plan is not split */
function conditionIn(document: DocumentNode): string | undefined {
  let found: string | undefined
  let isStream = false
  visit(document, {
    OperationDefinition: ({ operation }) => {
      isStream ||= operation === 'subscription'
    },
    Directive: (directive) => {
      found ??= variableOf(directive)
    },
  })
  return isStream ? undefined : found
}

/** The document as it is where the variable has that value. */
const withVariable = (document: DocumentNode, variable: string, value: boolean): DocumentNode =>
  visit(document, {
    SelectionSet: {
      leave(node) {
        const selections = node.selections.flatMap((selection) => {
          const { directives = [] } = selection
          const decisive = directives.filter((one) => variableOf(one) === variable)
          if (decisive.some(({ name }) => value === (name.value === 'skip'))) return []
          return { ...selection, directives: directives.filter((one) => !decisive.includes(one)) }
        })
        return { ...node, selections: selections.length > 0 ? selections : [TYPE_NAME] }
      },
    },
  })

function variableOf({ name, arguments: args }: DirectiveNode): string | undefined {
  if (name.value !== 'skip' && name.value !== 'include') return undefined
  const value = args?.[0]?.value
  return value?.kind === Kind.VARIABLE ? value.name.value : undefined
}

import { treeOf } from '../executions/tree.ts'
import type { ExecutionDetailQuery } from '../graph/generated.ts'

type Detail = NonNullable<ExecutionDetailQuery['executionResult']>

/** One step in both executions. */
export interface Pair {
  id: string
  name: string
  before: Side | undefined
  after: Side | undefined
}

export interface Side {
  state: string
  durationMs: number | null
  message: string | null
}

export const isChanged = ({ before, after }: Pair): boolean =>
  before?.state !== after?.state || before?.message !== after?.message

/** Steps are the same where scenario and path are; and the environment, where a scenario ran in several. */
export function pairsOf(first: Detail, second: Detail): Pair[] {
  const inSeveral = [first, second].some(isInSeveral)
  const [before, after] = [sidesOf(first, inSeveral), sidesOf(second, inSeveral)]
  return [...new Set([...after.keys(), ...before.keys()])].map((id) => ({
    id,
    name: after.get(id)?.name ?? before.get(id)?.name ?? id,
    before: before.get(id),
    after: after.get(id),
  }))
}

function isInSeveral({ testCaseResults }: Detail): boolean {
  const keys = testCaseResults.map(
    ({ contextId, environment }) => `${contextId} ${environment?.id}`,
  )
  return new Set(keys).size > new Set(testCaseResults.map(({ contextId }) => contextId)).size
}

const sidesOf = (detail: Detail, inSeveral: boolean): Map<string, Side & { name: string }> =>
  new Map(
    treeOf({
      root: { ...detail, log: [] },
      scenarios: detail.testCaseResults.map((each) => ({ ...each, log: [] })),
    }).map(({ scenario, step, name, state, durationMs }) => {
      const place = inSeveral ? scenario.environment : null
      return [
        `${scenario.contextId} ${place?.id ?? ''} ${step ? (step.path ?? step.stepId) : ''}`,
        {
          ...{ state, durationMs, message: step ? step.message : scenario.message },
          name: place && !step ? `${name} in ${place.name}` : name,
        },
      ]
    }),
  )

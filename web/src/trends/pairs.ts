import { treeOf } from '../executions/tree.ts'
import type { ExecutionDetailQuery } from '../graph/generated.ts'

type Detail = NonNullable<ExecutionDetailQuery['executionResult']>

/** What one step was in each execution. */
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

/** Steps are the same where scenario and path are. */
export function pairsOf(first: Detail, second: Detail): Pair[] {
  const [before, after] = [sidesOf(first), sidesOf(second)]
  return [...new Set([...after.keys(), ...before.keys()])].map((id) => ({
    id,
    name: after.get(id)?.name ?? before.get(id)?.name ?? id,
    before: before.get(id),
    after: after.get(id),
  }))
}

const sidesOf = (detail: Detail): Map<string, Side & { name: string }> =>
  new Map(
    treeOf({
      root: { ...detail, log: [] },
      scenarios: detail.testCaseResults.map((each) => ({ ...each, log: [] })),
    }).map(({ scenario, step, name, state, durationMs }) => [
      `${scenario.contextId} ${step ? (step.path ?? step.id) : ''}`,
      { name, state, durationMs, message: step ? step.message : scenario.message },
    ]),
  )

import { type Pair, type Part, pairsOf } from '../../../../formats/pairs.ts'
import type { StepResult } from '../../../../runner/run/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
import { durationMsOf } from '../execution.ts'
import type { ComparedStep, StepChangeName } from './comparison.type.ts'

/** Steps of two executions, or scenarios of two suites, side by side: those of the later one in its order, then the removed. */
export const compared = (
  before: readonly ComparableStep[],
  after: readonly ComparableStep[],
): ComparedStep[] => pairsOf(before, after).map(comparedPair)

export type ComparableStep = Part & Pick<StepResult, 'name' | 'state' | 'durationMs' | 'message'>

export const stepsOf = (
  { suite, steps }: Execution,
  members: readonly Execution[],
): ComparableStep[] =>
  suite
    ? members.map(({ contextId, contextName, environmentId, state, message, ...times }) => ({
        ...{ path: contextId, name: contextName, environmentId, state, message },
        durationMs: durationMsOf(times),
      }))
    : steps.map(({ id, path = id, name, state, durationMs, message }) => ({
        ...{ path, name, environmentId: null, state, durationMs, message },
      }))

function comparedPair({ path, environmentId, before, after }: Pair<ComparableStep>): ComparedStep {
  return {
    path,
    environmentId,
    name: (after ?? before)?.name ?? path,
    change: changeOf(before, after),
    stateBefore: before?.state ?? null,
    stateAfter: after?.state ?? null,
    durationMsBefore: before?.durationMs ?? null,
    durationMsAfter: after?.durationMs ?? null,
    messageBefore: before?.message ?? null,
    messageAfter: after?.message ?? null,
  }
}

function changeOf(before: ComparableStep | null, after: ComparableStep | null): StepChangeName {
  if (!before) return 'ADDED'
  if (!after) return 'REMOVED'
  if (before.state === after.state) return before.message === after.message ? 'SAME' : 'CHANGED'
  if (after.state === 'COMPLETED') return 'FIXED'
  return before.state === 'COMPLETED' ? 'BROKEN' : 'CHANGED'
}

import { type Pair, type Part, pairsOf } from '../../../../schema/pairs.ts'
import type { StepResult } from '../../runners/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
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
    ? members.map(({ contextId, contextName, environmentId, state, started, ended, message }) => ({
        ...{ path: contextId, name: contextName, environmentId, state, message },
        durationMs: ended && durationOf(started, ended),
      }))
    : steps.map(({ id, path = id, name, state, durationMs, message }) => ({
        ...{ path, name, environmentId: null, state, durationMs, message },
      }))

/** Null where a result cannot carry it: an execution may wait for a worker, or its clock was set. */
function durationOf(started: Date, ended: Date): number | null {
  const ms = ended.getTime() - started.getTime()
  return ms < 2 ** 31 ? ms : null
}

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

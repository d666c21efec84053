import type { StepResult } from '../../runners/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
import type { ComparedStep, StepChangeName } from './comparison.type.ts'

/** Steps of two executions, or scenarios of two suites, side by side: those of the later one in its order, then the removed. */
export function compared(
  before: readonly ComparableStep[],
  after: readonly ComparableStep[],
): ComparedStep[] {
  const earlier = new Map(before.map((step) => [step.path, step]))
  const later = new Set(after.map(({ path }) => path))
  const removed = before.filter(({ path }) => !later.has(path))
  return [
    ...after.map((step) => pairOf(earlier.get(step.path) ?? null, step)),
    ...removed.map((step) => pairOf(step, null)),
  ]
}

export interface ComparableStep
  extends Pick<StepResult, 'name' | 'state' | 'durationMs' | 'message'> {
  path: string
}

/** Scenarios of a suite are found again by their ids. */
export const stepsOf = (
  { suite, steps }: Execution,
  members: readonly Execution[],
): ComparableStep[] =>
  suite
    ? members.map(({ contextId, contextName, state, started, ended, message }) => ({
        ...{ path: contextId, name: contextName, state, message },
        durationMs: ended && ended.getTime() - started.getTime(),
      }))
    : steps.map(({ id, path = id, name, state, durationMs, message }) => ({
        ...{ path, name, state, durationMs, message },
      }))

function pairOf(before: ComparableStep | null, after: ComparableStep | null): ComparedStep {
  const known = (after ?? before) as ComparableStep // one of both is there
  return {
    path: known.path,
    name: known.name,
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

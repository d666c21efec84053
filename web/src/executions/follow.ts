import { useEffect, useState } from 'react'
import { read } from '../graph/client.ts'
import {
  ExecutionDetailDocument,
  ExecutionUpdatesDocument,
  type ExecutionUpdatesSubscription,
  type ScenarioFragment,
  type StepFragment,
} from '../graph/generated.ts'
import { watch } from '../graph/stream.ts'

/** One execution of a scenario, or of a suite itself, as far as it is known. */
export interface Scenario extends Omit<ScenarioFragment, 'steps'> {
  steps: readonly StepFragment[]
  log: readonly string[]
}

/** An execution with those of its scenarios; of a scenario alone there are none. */
export interface Followed {
  root: Scenario | null
  /** Result of the suite that it belongs to. */
  suiteId: string | null
  scenarios: readonly Scenario[]
  error: string | null
  isLoading: boolean
}

const NOTHING: Followed = { root: null, suiteId: null, scenarios: [], error: null, isLoading: true }

/** An execution as it grows: steps, log and state arrive while it runs, and continue after a lost connection. */
export function useExecution(id: string): Followed {
  const [followed, setFollowed] = useState(NOTHING)
  useEffect(() => {
    setFollowed(NOTHING)
    return follow(id, setFollowed)
  }, [id])
  return followed
}

/** @returns ends it */
function follow(id: string, onChange: (followed: Followed) => void): () => void {
  const running = new Map<string, () => void>()
  const known = new Map<string, Scenario>()
  let suiteId: string | null = null
  let isEnded = false
  let frame = 0

  /** Many updates arrive at once; the page is drawn once for all of them. */
  const changed = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      const scenarios = [...known.values()].filter((each) => each.id !== id)
      onChange({ root: known.get(id) ?? null, suiteId, scenarios, error: null, isLoading: false })
    })
  }

  async function load(): Promise<void> {
    try {
      const { executionResult } = await read(ExecutionDetailDocument, { id })
      if (isEnded) return
      if (!executionResult)
        throw new Error('There is no such execution, or its details were deleted')
      suiteId = executionResult.suiteResult?.id ?? null
      for (const each of [executionResult, ...executionResult.testCaseResults]) {
        // What is running grows by updates, from the first on.
        if (each.state === 'RUNNING') start({ ...each, steps: [], log: [] })
        else known.set(each.id, { ...each, log: linesOf(each.log) })
      }
      changed()
    } catch (error) {
      if (!isEnded) onChange({ ...NOTHING, isLoading: false, error: (error as Error).message })
    }
  }

  function start(scenario: Scenario): void {
    if (running.has(scenario.id)) return
    known.set(scenario.id, scenario)
    const { id: own } = scenario
    const stop = watch(
      ExecutionUpdatesDocument,
      { id: own, after: '' },
      {
        onData: ({ executionUpdated: update }) => {
          apply(own, update)
          return update.cursor
        },
        onError: () => void load(),
      },
    )
    running.set(own, stop)
  }

  function apply(
    own: string,
    { kind, log, step, execution }: ExecutionUpdatesSubscription['executionUpdated'],
  ): void {
    const before = known.get(own)
    if (!before) return
    known.set(own, {
      ...before,
      ...execution,
      steps: kind === 'STEP' && step ? withStep(before.steps, step) : before.steps,
      log: log ? [...before.log, ...log] : before.log,
    })
    // A scenario of a suite has begun: the step has the id of its result.
    const isNewScenario = before.type === 'SUITE' && step && !known.has(step.id)
    if (isNewScenario || (kind === 'STATE' && execution.state !== 'RUNNING')) {
      if (kind === 'STATE') running.get(own)?.()
      void load()
    }
    changed()
  }

  void load()
  return () => {
    isEnded = true
    cancelAnimationFrame(frame)
    for (const stop of running.values()) stop()
  }
}

const linesOf = (log: string | null): string[] => log?.split('\n').filter(Boolean) ?? []

const pathOf = ({ path, id }: StepFragment) => path ?? id

/** The end of a step takes the place of its begin. Steps end mostly in the order in which they began. */
function withStep(steps: readonly StepFragment[], step: StepFragment): readonly StepFragment[] {
  const at = steps.findLastIndex((each) => pathOf(each) === pathOf(step))
  return at < 0 ? [...steps, step] : steps.with(at, step)
}

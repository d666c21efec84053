import { useEffect, useState } from 'react'
import { read } from '../graph/client.ts'
import {
  ExecutionDetailDocument,
  ExecutionUpdatesDocument,
  type ExecutionUpdatesSubscription,
  type ScenarioFragment,
  type StepFragment,
} from '../graph/generated.ts'
import { watch } from '../graph/streams.ts'
import { type Followed, pathOf, type Scenario } from './tree.ts'

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

/** Time for which updates are gathered before the page is drawn. */
const DRAW_MS = 100

/** Steps and lines are added in place, as there may be thousands. */
interface Growing {
  facts: Omit<ScenarioFragment, 'steps'>
  steps: Map<string, StepFragment>
  log: string[]
  /** Drawn state, until it changes. */
  seen: Scenario | null
}

const growing = ({ steps, ...facts }: ScenarioFragment): Growing => ({
  facts,
  steps: new Map(steps.map((step) => [pathOf(step), step])),
  log: [],
  seen: null,
})

function seen(scenario: Growing): Scenario {
  const { facts, steps, log } = scenario
  scenario.seen ??= { ...facts, steps: [...steps.values()], log: [...log] }
  return scenario.seen
}

/** @returns ends it */
function follow(id: string, onChange: (followed: Followed) => void): () => void {
  const running = new Map<string, () => void>()
  const known = new Map<string, Growing>()
  let suiteId: string | null = null
  let isEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Many updates arrive at once; the page is drawn once for all of them. */
  const changed = (delayMs = DRAW_MS) => {
    timer ??= setTimeout(() => {
      timer = undefined
      const all = [...known.values()].map(seen)
      const scenarios = all.filter((each) => each.id !== id)
      const root = all.find((each) => each.id === id) ?? null
      onChange({ root, suiteId, scenarios, error: null, isLoading: false })
    }, delayMs)
  }

  async function load(): Promise<void> {
    try {
      const { executionResult } = await read(ExecutionDetailDocument, { id })
      if (isEnded) return
      if (!executionResult)
        throw new Error('There is no such execution, or its details were deleted')
      suiteId = executionResult.suiteResult?.id ?? null
      for (const each of [executionResult, ...executionResult.testCaseResults]) {
        // A running step grows by updates, from the first on.
        if (each.state === 'RUNNING') start({ ...each, steps: [] })
        else known.set(each.id, growing(each))
      }
      changed(0)
    } catch (error) {
      if (!isEnded) onChange({ ...NOTHING, isLoading: false, error: (error as Error).message })
    }
  }

  function start(scenario: ScenarioFragment): void {
    const { id: own } = scenario
    if (running.has(own)) return
    known.set(own, growing(scenario))
    const stop = watch(
      ExecutionUpdatesDocument,
      { id: own, after: '' },
      {
        onData: ({ executionUpdated: update }) => {
          apply(own, update)
          return update.cursor
        },
        // All updates come, or come again.
        onPlaced: () => {
          const scenario = known.get(own)
          if (scenario) scenario.log = []
        },
        onGivenUp: () => void load(),
      },
    )
    running.set(own, stop)
  }

  function apply(
    own: string,
    { kind, log, step, execution }: ExecutionUpdatesSubscription['executionUpdated'],
  ): void {
    const scenario = known.get(own)
    if (!scenario) return
    const { facts, steps } = scenario
    scenario.facts = { ...facts, ...execution }
    scenario.seen = null
    if (kind === 'STEP' && step) steps.set(pathOf(step), step)
    for (const line of log ?? []) scenario.log.push(line)
    // A scenario of a suite has begun: `stepId` is the id of its result.
    const isNewScenario = facts.type === 'SUITE' && step && !known.has(step.stepId)
    const isEndOfIt = kind === 'STATE' && execution.state !== 'RUNNING'
    if (isEndOfIt) running.get(own)?.()
    if (isNewScenario || isEndOfIt) void load()
    changed()
  }

  void load()
  return () => {
    isEnded = true
    clearTimeout(timer)
    for (const stop of running.values()) stop()
  }
}

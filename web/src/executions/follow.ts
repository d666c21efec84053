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
    const following = new Following(id, setFollowed)
    void following.load()
    return () => following.end()
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

class Following {
  readonly #id: string
  readonly #onChange: (followed: Followed) => void
  readonly #running = new Map<string, () => void>()
  readonly #known = new Map<string, Growing>()
  #suiteId: string | null = null
  #isEnded = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, onChange: (followed: Followed) => void) {
    this.#id = id
    this.#onChange = onChange
  }

  async load(): Promise<void> {
    try {
      const { executionResult } = await read(ExecutionDetailDocument, { id: this.#id })
      if (this.#isEnded) return
      if (!executionResult)
        throw new Error('There is no such execution, or its details were deleted')
      this.#suiteId = executionResult.suiteResult?.id ?? null
      for (const each of [executionResult, ...executionResult.testCaseResults]) {
        // A running step grows by updates, from the first on.
        if (each.state === 'RUNNING') this.#start({ ...each, steps: [] })
        else this.#known.set(each.id, growing(each))
      }
      this.#changed(0)
    } catch (error) {
      if (this.#isEnded) return
      this.#onChange({ ...NOTHING, isLoading: false, error: (error as Error).message })
    }
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    for (const stop of this.#running.values()) stop()
  }

  /** Many updates arrive at once; the page is drawn once for all of them. */
  #changed(delayMs = DRAW_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const all = [...this.#known.values()].map(seen)
      const scenarios = all.filter((each) => each.id !== this.#id)
      const root = all.find((each) => each.id === this.#id) ?? null
      this.#onChange({ root, suiteId: this.#suiteId, scenarios, error: null, isLoading: false })
    }, delayMs)
  }

  #start(scenario: ScenarioFragment): void {
    const { id } = scenario
    if (this.#running.has(id)) return
    this.#known.set(id, growing(scenario))
    const stop = watch(
      ExecutionUpdatesDocument,
      { id, after: '' },
      {
        onData: ({ executionUpdated: update }) => {
          this.#apply(id, update)
          return update.cursor
        },
        // All updates come, or come again.
        onPlaced: () => {
          const scenario = this.#known.get(id)
          if (scenario) scenario.log = []
        },
        onGivenUp: () => void this.load(),
      },
    )
    this.#running.set(id, stop)
  }

  #apply(
    id: string,
    { kind, log, step, execution }: ExecutionUpdatesSubscription['executionUpdated'],
  ): void {
    const scenario = this.#known.get(id)
    if (!scenario) return
    const { facts, steps } = scenario
    scenario.facts = { ...facts, ...execution }
    scenario.seen = null
    if (kind === 'STEP' && step) steps.set(pathOf(step), step)
    for (const line of log ?? []) scenario.log.push(line)
    // A scenario of a suite has begun: `stepId` is the id of its result.
    const isNewScenario = facts.type === 'SUITE' && step && !this.#known.has(step.stepId)
    const isEndOfIt = kind === 'STATE' && execution.state !== 'RUNNING'
    if (isEndOfIt) this.#running.get(id)?.()
    if (isNewScenario || isEndOfIt) void this.load()
    this.#changed()
  }
}

import type { Client } from '../client.ts'
import { painted, type Terminal } from '../terminal.ts'

const BAR_WIDTH = 24
const SECOND_MS = 1_000

export interface Shown {
  /** When the execution started, in milliseconds. */
  startedMs: number
  /** Place in the queue, from 1; null for what does not wait. */
  queuePosition: number | null
  scenarios: number
  scenariosEnded: number
  /** Steps that have ended, where they are known. */
  steps: number
  /** Steps of the run before, which this one is measured by; 0 where there is none. */
  stepsBefore: number
  /** Names of the steps or scenarios that run, with what they wait for. */
  names: readonly string[]
}

/** The line below all others while something runs. */
export function progressLine(shown: Shown, nowMs: number, terminal: Terminal): string {
  const { startedMs, queuePosition, scenarios, scenariosEnded, steps, stepsBefore, names } = shown
  const seconds = Math.max(0, Math.floor((nowMs - startedMs) / SECOND_MS))
  const isSuite = scenarios > 1
  const isMeasured = !isSuite && steps > 0 && stepsBefore >= steps
  const waiting = isSuite && queuePosition === null ? scenarios - scenariosEnded - names.length : 0
  const parts = [
    `${painted(terminal, 'RUNNING')} ${seconds} s`,
    ...(queuePosition === null ? [] : [`waits for a worker, place ${queuePosition} of the queue`]),
    ...(!isSuite && !isMeasured && steps > 0 ? [`${steps} steps ended`] : []),
    ...(waiting > 0 ? [waiting === 1 ? '1 waits for a slot' : `${waiting} wait for a slot`] : []),
    ...(names.length > 0 ? [names.join(', ')] : []),
  ]
  if (isSuite) parts[0] = `${bar(scenariosEnded, scenarios, terminal)} ${parts[0]}`
  if (isMeasured) parts[0] = `${bar(steps, stepsBefore, terminal)} steps ${parts[0]}`
  return parts.join(', ')
}

function bar(done: number, all: number, terminal: Terminal): string {
  const filled = Math.round(BAR_WIDTH * Math.min(1, done / all))
  const [full, rest] = ['█'.repeat(filled), '░'.repeat(BAR_WIDTH - filled)]
  return `${terminal.paint('green', full)}${terminal.paint('dim', rest)} ${done} of ${all}`
}

type Progress = Pick<Shown, 'queuePosition' | 'scenarios' | 'scenariosEnded'>

export interface ProgressView {
  update(change: Partial<Shown>): void
  /** Clears the line. */
  end(): void
}

/** Shows how far an execution is on a live terminal, each second until `end`. */
export function showProgress(id: string, client: Client, terminal: Terminal): ProgressView {
  if (!terminal.isLive) return { update: () => {}, end: () => {} }
  let shown: Shown = {
    ...{ startedMs: Date.now(), queuePosition: null, scenarios: 1, scenariosEnded: 0 },
    ...{ steps: 0, stepsBefore: 0, names: [] },
  }
  let [isOver, isKnown] = [false, false]
  const draw = () => {
    if (!isOver) terminal.progress(progressLine(shown, Date.now(), terminal))
  }
  const update = (change: Partial<Shown>) => {
    shown = { ...shown, ...change }
    draw()
  }
  /** Places in the queue move without an update of the execution. */
  const look = async () => {
    const { executionResult } = await client.graphql<{
      executionResult: { contextId: string; started: string; progress: Progress } | null
    }>('progress', { id })
    if (!executionResult) return
    const isFirst = !isKnown
    isKnown = true
    const { contextId, started, progress } = executionResult
    update({ ...progress, startedMs: Date.parse(started) })
    if (isFirst && progress.scenarios === 1) await measure(contextId)
  }
  const measure = async (contextId: string) => {
    const { executionResults } = await client.graphql<{
      executionResults: { nodes: { steps: object[] }[] }
    }>('earlier', { contextId })
    shown = { ...shown, stepsBefore: executionResults.nodes[0]?.steps.length ?? 0 }
  }
  const lookAgain = () => void look().catch(() => {}) // the result does not depend on it
  lookAgain()
  const timer = setInterval(() => {
    draw()
    if (shown.queuePosition !== null || !isKnown) lookAgain()
  }, SECOND_MS)
  timer.unref()
  return {
    update,
    end() {
      isOver = true
      clearInterval(timer)
      terminal.progress(null)
    },
  }
}

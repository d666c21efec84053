import { EarlierRunDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { count, duration } from '../ui/format.ts'
import { useNow } from '../ui/time.tsx'
import { pathOf, type Scenario } from './tree.ts'

interface ProgressProps {
  root: Scenario
  /** Steps without inner ones that have ended. */
  ended: number
}

/** Progress of a running execution, as far as its rules and its last run say, and what it waits for. */
export function Progress({ root, ended }: ProgressProps) {
  const { type, contextId, started, progress } = root
  const isSuite = type === 'SUITE'
  const { data } = useRead(EarlierRunDocument, { contextId }, isSuite)
  const earlier = data?.executionResults.nodes[0]
  const now = useNow()
  if (progress.queuePosition !== null)
    return (
      <p className="under">
        Waits for a worker: place {count(progress.queuePosition)} in the queue
      </p>
    )
  if (isSuite)
    return <Bar done={progress.scenariosEnded} all={progress.scenarios} noun="scenarios" />
  const all = earlier ? innermost(earlier.steps) : 0
  const leftMs = (earlier?.durationMs ?? 0) - (now - Date.parse(started))
  return all >= ended && all > 0 ? (
    <Bar done={ended} all={all} noun="steps" leftMs={leftMs} />
  ) : (
    <p className="under">{count(ended)} steps ended</p>
  )
}

const innermost = (steps: readonly Parameters<typeof pathOf>[0][]): number => {
  const outer = new Set(steps.map((step) => pathOf(step).replace(/\/?[^/]*$/, '')))
  return steps.filter((step) => !outer.has(pathOf(step))).length
}

interface BarProps {
  done: number
  all: number
  noun: string
  /** By the last run; below 0 where this one takes longer. */
  leftMs?: number
}

const Bar = ({ done, all, noun, leftMs = 0 }: BarProps) => (
  <label className="row under">
    <progress className="grow" max={all} value={done} aria-label={`Progress in ${noun}`} />
    <span className="number nowrap">
      {count(done)} of {count(all)} {noun}
      {leftMs >= 1_000 && `, about ${duration(leftMs)} left`}
    </span>
  </label>
)

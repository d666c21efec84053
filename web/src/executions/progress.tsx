import { useEffect, useEffectEvent } from 'react'
import { EarlierRunDocument, QueuePlaceDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { count, duration } from '../ui/format.ts'
import { useNow } from '../ui/time.tsx'
import { type Node, pathOf, type Scenario } from './tree.ts'

interface ProgressProps {
  root: Scenario
  /** Steps without inner ones that have ended. */
  ended: number
  /** Innermost step that runs. */
  running: Node | undefined
}

/** Progress of a running execution, and what it waits for: a worker, or a retry. */
export const Progress = ({ running, ...of }: ProgressProps) => (
  <>
    {of.root.progress.queuePosition === null ? <Done {...of} /> : <Queued id={of.root.id} />}
    {running?.step?.message && (
      <p className="under">
        {running.name}: {running.step.message}
      </p>
    )}
  </>
)

const LOOK_MS = 2_000

/** Place in the queue, which moves without an update of the execution. */
function Queued({ id }: { id: string }) {
  const { data, reload } = useRead(QueuePlaceDocument, { id })
  const look = useEffectEvent(reload)
  useEffect(() => {
    const timer = setInterval(() => look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const place = data?.executionResult?.progress.queuePosition
  return (
    <p className="under">Waits for a worker{place ? `: place ${count(place)} in the queue` : ''}</p>
  )
}

/** As far as its rules and its last run say. */
function Done({ root, ended }: Omit<ProgressProps, 'running'>) {
  const { type, contextId, started, progress } = root
  const isSuite = type === 'SUITE'
  const { data } = useRead(EarlierRunDocument, { contextId }, isSuite)
  const earlier = data?.executionResults.nodes[0]
  const now = useNow()
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

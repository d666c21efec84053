import { useEffect } from 'react'
import { WorkersDocument, type WorkersQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Card } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

type Worker = WorkersQuery['server']['workers'][number]

/** Workers report themselves every few seconds. */
const LOOK_AGAIN_MS = 10_000

/** The workers that live, and how many of their slots are taken. */
export function WorkerList() {
  const { data, error, isLoading, reload } = useRead(WorkersDocument, {})
  useEffect(() => {
    const timer = setInterval(reload, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [reload])
  const workers = data?.server.workers ?? []
  const [used, slots] = [sum(workers, 'used'), sum(workers, 'slots')]
  return (
    <Card
      title="Workers"
      aside={
        slots > 0 && (
          <span className="under number">
            {used} of {slots} slots taken
          </span>
        )
      }
    >
      {error && <Problem message={error} retry={reload} />}
      {isLoading && <Loading lines={1} />}
      <ul className="lines">
        {data && workers.length === 0 && (
          <li className="faint">No worker runs, so executions wait.</li>
        )}
        {workers.map((worker) => (
          <WorkerLine key={worker.id} {...worker} />
        ))}
      </ul>
    </Card>
  )
}

const WorkerLine = ({ name, version, used, slots, lastSeen, sandbox }: Worker) => (
  <li>
    <span className="cut grow mono" title={`${name}, Assay ${version}`}>
      {name}
    </span>
    {sandbox.missing.length > 0 && (
      <span className="under" title={sandbox.missing.map(wordsOf).join('\n')}>
        {sandbox.missing.length} walls missing
      </span>
    )}
    <span className="row tight number nowrap">
      <meter min={0} max={slots} value={used} aria-label={`Slots taken of ${name}`} />
      {used} / {slots}
    </span>
    <span className="under nowrap">
      <Ago at={lastSeen} />
    </span>
  </li>
)

const wordsOf = ({ wall, reason }: { wall: string; reason: string }) => `${wall}: ${reason}`

const sum = (workers: readonly Worker[], field: 'used' | 'slots') =>
  workers.reduce((total, worker) => total + worker[field], 0)

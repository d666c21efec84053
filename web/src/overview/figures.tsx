import { stateOf } from '../executions/search.ts'
import type { ExecutionsOverTimeQuery, OverviewQuery } from '../graph/generated.ts'
import { count, percent } from '../ui/format.ts'
import type { Range } from '../ui/range.ts'
import { Tile } from './tile.tsx'

interface FiguresProps {
  data: OverviewQuery
  /** As soon as it is known. */
  statistics: ExecutionsOverTimeQuery['executionStatistics'] | undefined
  range: Range
  openEvents: string | null
}

/** The figures of the overview; each leads to what it counts. */
export function Figures({ data, statistics, range, openEvents }: FiguresProps) {
  const { running, failed } = data
  const { completed = 0, failed: bad = 0, error = 0, passRate = null } = statistics ?? {}
  const waiting = running.nodes.filter((each) => stateOf(each) === 'WAITING').length
  return (
    <div className="tiles">
      <Tile
        name="Running"
        value={running.totalCount}
        to="/executions"
        search={{ state: ['RUNNING'] }}
        note={waiting > 0 ? `${waiting} waiting` : 'none waiting'}
      />
      <Tile
        name="Pass rate"
        value={percent(passRate)}
        to="/executions"
        search={{ ...range }}
        note={`of ${count(completed + bad + error)} that ended`}
      />
      <Tile
        name="Failed"
        value={failed.totalCount}
        to="/executions"
        search={{ state: ['FAILED', 'ERROR'], ...range }}
        note="failed or in error"
      />
      <Tile
        name="Open events"
        value={openEvents}
        to="/events"
        search={{ q: 'status:OPEN' }}
        note="of any time"
      />
    </div>
  )
}

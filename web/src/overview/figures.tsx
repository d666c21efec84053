import { stateOf } from '../executions/search.ts'
import type { OverviewQuery } from '../graph/generated.ts'
import { percent } from '../ui/format.ts'
import { Tile } from './tile.tsx'

/** The figures of the overview; each leads to what it counts. */
export function Figures({ data, openEvents }: { data: OverviewQuery; openEvents: string | null }) {
  const { recent, running, failed } = data
  const ended = recent.nodes.filter(({ state }) => state !== 'RUNNING')
  const passed = ended.filter(({ state }) => state === 'COMPLETED').length
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
        value={percent(ended.length === 0 ? null : passed / ended.length)}
        to="/executions"
        note={`of the last ${ended.length}`}
      />
      <Tile
        name="Not passed"
        value={failed.totalCount}
        to="/executions"
        search={{ state: ['FAILED', 'ERROR'] }}
        note="failed or in error"
      />
      <Tile
        name="Open events"
        value={openEvents}
        to="/events"
        search={{ q: 'status:OPEN' }}
        note="to be looked at"
      />
    </div>
  )
}

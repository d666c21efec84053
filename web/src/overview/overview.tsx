import { Link } from '@tanstack/react-router'
import { WorkerList } from '../configuration/workers.tsx'
import { DurationBars } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { nameOf, stateOf } from '../executions/search.ts'
import { useBatch } from '../graph/batch.ts'
import {
  EventChangesDocument,
  type ExecutionRowFragment,
  ExecutionStatesDocument,
  OpenEventsDocument,
  OverviewDocument,
  type OverviewQuery,
} from '../graph/generated.ts'
import { useFollow } from '../graph/stream.ts'
import { useRead } from '../graph/use-read.ts'
import { Card, Empty, Loading, Page, Problem } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { OpenEvents } from './open-events.tsx'
import { Tile } from './tile.tsx'

/** What runs and waits now, what failed last, and how it goes over time. */
export default function Overview() {
  const executions = useRead(OverviewDocument, {})
  const events = useRead(OpenEventsDocument, {})
  const executionsChanged = useBatch<undefined>(executions.reload)
  const eventsChanged = useBatch<undefined>(events.reload)
  useFollow(
    ExecutionStatesDocument,
    {},
    ({ executionStateChanged: { cursor } }) => {
      executionsChanged(undefined)
      return cursor
    },
    executions.reload,
  )
  useFollow(
    EventChangesDocument,
    { query: null },
    ({ eventChanged: { cursor } }) => {
      eventsChanged(undefined)
      return cursor
    },
    events.reload,
  )
  const { data, error, isLoading, reload } = executions
  return (
    <Page title="Overview">
      {error && <Problem message={error} retry={reload} />}
      {isLoading && <Loading />}
      {data && <Figures data={data} openEvents={events.data?.open.totalCount ?? null} />}
      {data && data.recent.nodes.length === 0 ? (
        <Welcome data={data} />
      ) : (
        data && <Lists data={data} />
      )}
      <OpenEvents data={events.data} error={events.error} />
      <WorkerList />
    </Page>
  )
}

function Figures({ data, openEvents }: { data: OverviewQuery; openEvents: number | null }) {
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
        value={ended.length === 0 ? null : `${Math.round((passed / ended.length) * 100)} %`}
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

const Lists = ({ data: { recent, running, failed } }: { data: OverviewQuery }) => (
  <>
    <Card title="Duration and state of the last executions">
      <div className="body">
        <DurationBars results={recent.nodes} />
      </div>
    </Card>
    <div className="two">
      <Card title="Running and waiting">
        <Lines results={running.nodes} nothing="Nothing runs now." />
      </Card>
      <Card title="Last failures">
        <Lines results={failed.nodes} nothing="Nothing failed." />
      </Card>
    </div>
  </>
)

const Lines = ({
  results,
  nothing,
}: {
  results: readonly ExecutionRowFragment[]
  nothing: string
}) => (
  <ul className="lines">
    {results.length === 0 && <li className="faint">{nothing}</li>}
    {results.map((each) => (
      <li key={each.id}>
        <StateBadge state={stateOf(each)} />
        <Link
          className="cut grow"
          to="/executions/$id"
          params={{ id: each.id }}
          title={each.message ?? undefined}
        >
          {nameOf(each)}
        </Link>
        <span className="under nowrap">
          <Ago at={each.started} />
        </span>
      </li>
    ))}
  </ul>
)

/** What a newcomer does first. */
const Welcome = ({ data }: { data: OverviewQuery }) => {
  const [suite] = data.suites.nodes
  return (
    <section className="card">
      <Empty icon="play" title="Nothing was executed yet">
        {suite ? (
          <>
            <p>
              Run the suite{' '}
              <Link to="/repository/suites/$id" params={{ id: suite.id }}>
                {suite.name}
              </Link>{' '}
              and watch its steps as they run. Then open what failed: it shows what was expected
              beside what was there.
            </p>
            <Run contextId={suite.id} label={`Run ${suite.name}`} look="primary" />
          </>
        ) : (
          <p>
            Create a scenario in the <Link to="/repository/scenarios">repository</Link> and run it.
          </p>
        )}
      </Empty>
    </section>
  )
}

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CauseLine } from '../causes/parts.tsx'
import { WorkerList } from '../configuration/workers.tsx'
import { stateOf } from '../executions/search.ts'
import { useBatch } from '../graph/batch.ts'
import {
  type ExecutionRowFragment,
  ExecutionsOverTimeDocument,
  FailingNowDocument,
  OpenEventsDocument,
  OverviewDocument,
} from '../graph/generated.ts'
import { EVENTS, EXECUTIONS, useFollow } from '../graph/use-follow.ts'
import { useRead } from '../graph/use-read.ts'
import { plural } from '../ui/format.ts'
import { Card, Page } from '../ui/parts.tsx'
import { TIME_ZONE } from '../ui/range.ts'
import { RangeSelect } from '../ui/range-select.tsx'
import { StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { LoadingRows, LoadingTiles, Problem } from '../ui/waiting.tsx'
import { Figures } from './figures.tsx'
import { OpenEvents } from './open-events.tsx'
import { totalOf } from './open-parts.ts'
import { OverTime } from './over-time.tsx'
import { overviewSearch, statisticsOf } from './search.ts'
import { Welcome } from './welcome.tsx'

const route = getRouteApi('/')

/** Overview of running and waiting executions, the last failures, and the trend. */
export default function Overview() {
  const { range, interval, ...span } = statisticsOf(route.useSearch(), Date.now())
  const navigate = useNavigate()
  const isFollowed = useFollow(
    EXECUTIONS,
    {},
    () => executionsChanged(undefined),
    () => readAgain(),
  )
  const areEventsFollowed = useFollow(
    EVENTS,
    { query: null },
    () => eventsChanged(undefined),
    () => events.reload(),
  )
  const executions = useRead(OverviewDocument, span, !isFollowed)
  const failing = useRead(FailingNowDocument, {}, !isFollowed)
  const overTime = useRead(
    ExecutionsOverTimeDocument,
    { interval, ...span, timeZone: TIME_ZONE },
    !isFollowed,
  )
  const events = useRead(OpenEventsDocument, {}, !areEventsFollowed)
  const readAgain = () => {
    executions.reload()
    overTime.reload()
    failing.reload()
  }
  const executionsChanged = useBatch<undefined>(readAgain)
  const eventsChanged = useBatch<undefined>(events.reload)
  const { error, reload } = executions
  const causes = failing.data?.failureCauses
  // Together, so that nothing moves below the reader's eyes.
  const data = events.data || events.error ? executions.data : undefined
  return (
    <Page
      title="Overview"
      actions={
        <RangeSelect
          range={range}
          onChange={(next) =>
            void navigate({ to: '/', search: overviewSearch(next), replace: true })
          }
        />
      }
    >
      {error && <Problem message={error} retry={reload} />}
      {!data && !error && (
        <>
          <LoadingTiles />
          <LoadingRows />
        </>
      )}
      {data && (
        <Figures
          data={data}
          statistics={overTime.data?.executionStatistics}
          range={range}
          openEvents={events.data ? totalOf(events.data.open) : null}
        />
      )}
      {data && data.recent.nodes.length === 0 && <Welcome data={data} />}
      {data && data.recent.nodes.length > 0 && (
        <OverTime
          statistics={overTime.data?.executionStatistics}
          interval={interval}
          to={span.to}
        />
      )}
      {data && (
        <div className="two">
          <div className="stack apart">
            <Card
              title="Failing now"
              aside={
                <Link to="/executions/causes">{plural(causes?.totalCount ?? 0, 'cause')}</Link>
              }
            >
              <ul className="lines">
                {causes?.nodes.length === 0 && <li className="faint">Nothing fails now.</li>}
                {causes?.nodes.map((each) => (
                  <CauseLine key={each.id} of={each} />
                ))}
              </ul>
            </Card>
            <Card title="Last failures">
              <Lines results={data.failed.nodes} nothing="Nothing failed." />
            </Card>
          </div>
          <div className="stack apart">
            <Card title="Running and waiting">
              <Lines results={data.running.nodes} nothing="Nothing runs now." />
            </Card>
            <OpenEvents data={events.data} error={events.error} />
            <WorkerList />
          </div>
        </div>
      )}
    </Page>
  )
}

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
        <div className="grow">
          <div className="cut">
            <Link to="/executions/$id" params={{ id: each.id }}>
              {each.contextName}
            </Link>
          </div>
          {each.message && (
            <div className="under cut" title={each.message}>
              {each.message}
            </div>
          )}
        </div>
        <span className="under nowrap">
          <Ago at={each.started} />
        </span>
      </li>
    ))}
  </ul>
)

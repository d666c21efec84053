import { Link } from '@tanstack/react-router'
import { ExecutionEventsDocument, type ExecutionEventsQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { plural } from '../ui/format.ts'
import { Empty } from '../ui/parts.tsx'
import { Severity, StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { TabRead } from './tab-read.tsx'

type Event = NonNullable<NonNullable<ExecutionEventsQuery['executionResult']>['events']>[number]

/** The events that the end of this execution was counted into. */
export default function ExecutionEvents({ id }: { id: string }) {
  const reading = useRead(ExecutionEventsDocument, { id })
  return (
    <TabRead reading={reading}>
      {(data) => <EventList events={data?.executionResult?.events ?? []} />}
    </TabRead>
  )
}

const EventList = ({ events }: { events: readonly Event[] }) =>
  events.length === 0 ? (
    <Empty icon="bell" title="No event yet">
      <p>The end of an execution becomes an event within moments.</p>
    </Empty>
  ) : (
    <ul className="stack body">
      {events.map(({ id, title, severity, status, timesSeen, lastSeenAt }) => (
        <li key={id} className="row">
          <Severity severity={severity} />
          <StateBadge state={status} />
          <Link to="/events/$id" params={{ id }}>
            {title}
          </Link>
          <span className="under">
            {plural(timesSeen, 'occurrence')}, <Ago at={lastSeenAt} />
          </span>
        </li>
      ))}
    </ul>
  )

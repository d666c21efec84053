import { Link } from '@tanstack/react-router'
import { ExecutionEventsDocument, type ExecutionEventsQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { plural } from '../ui/format.ts'
import { Empty } from '../ui/parts.tsx'
import { Severity, StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { stateOf } from './search.ts'
import { TabRead } from './tab-read.tsx'
import type { Scenario } from './tree.ts'

type Event = NonNullable<NonNullable<ExecutionEventsQuery['executionResult']>['events']>[number]

/** The events that the end of this execution was counted into. */
export default function ExecutionEvents({ of }: { of: Scenario }) {
  const reading = useRead(ExecutionEventsDocument, { id: of.id })
  return (
    <TabRead reading={reading}>
      {(data) => <EventList events={data?.executionResult?.events ?? []} of={of} />}
    </TabRead>
  )
}

const Nothing = ({ of }: { of: Scenario }) =>
  stateOf(of) === 'CANCELLED' || of.startedBy === 'EDITOR' ? (
    <Empty icon="bell" title="No event">
      <p>
        {of.startedBy === 'EDITOR' ? 'A try of the editor' : 'A cancelled execution'} makes none.
      </p>
    </Empty>
  ) : (
    <Empty icon="bell" title="No event yet">
      <p>The end of an execution becomes an event within moments.</p>
    </Empty>
  )

const EventList = ({ events, of }: { events: readonly Event[]; of: Scenario }) =>
  events.length === 0 ? (
    <Nothing of={of} />
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

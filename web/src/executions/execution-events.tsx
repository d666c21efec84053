import { Link } from '@tanstack/react-router'
import { ExecutionEventsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { plural } from '../ui/format.ts'
import { Empty } from '../ui/parts.tsx'
import { Severity, StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

/** The events that the end of this execution was counted into. */
export default function ExecutionEvents({ id }: { id: string }) {
  const { data, error, isLoading, reload } = useRead(ExecutionEventsDocument, { id })
  if (error) return <Problem message={error} retry={reload} />
  if (isLoading)
    return (
      <div className="body">
        <Loading />
      </div>
    )
  const events = data?.executionResult?.events ?? []
  if (events.length === 0)
    return (
      <Empty icon="bell" title="No event yet">
        <p>The end of an execution becomes an event within moments.</p>
      </Empty>
    )
  return (
    <ul className="stack body">
      {events.map(({ id: event, title, severity, status, timesSeen, lastSeenAt }) => (
        <li key={event} className="row">
          <Severity severity={severity} />
          <StateBadge state={status} />
          <Link to="/events/$id" params={{ id: event }}>
            {title}
          </Link>
          <span className="under">
            {plural(timesSeen, 'occurrence')}, <Ago at={lastSeenAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

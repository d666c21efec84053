import { Link } from '@tanstack/react-router'
import type { OpenEventsQuery } from '../graph/generated.ts'
import { COUNTED, count, total } from '../ui/format.ts'
import { Card } from '../ui/parts.tsx'
import { Severity } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Problem } from '../ui/waiting.tsx'

const SEVERITIES = ['CRITICAL', 'ERROR', 'WARN'] as const
const KEY = { CRITICAL: 'critical', ERROR: 'error', WARN: 'warn' } as const

/** Severities of clients are among them, so that the parts add up. */
const OTHERS = 'status:OPEN AND NOT severity:(CRITICAL OR ERROR OR WARN)'

type Length = Pick<OpenEventsQuery['open'], 'totalCount' | 'isTotalCountEstimated'>

/** Length of a list, as it is shown. */
export const totalOf = (list: Length): string => total(list.totalCount, list.isTotalCountEstimated)

/** Remainder of the other parts, where estimates of each would not add up. */
function restOf({ open, critical, error, warn, other }: OpenEventsQuery): Length {
  if (!other.isTotalCountEstimated || open.totalCount === COUNTED + 1) return other
  const known = critical.totalCount + error.totalCount + warn.totalCount
  return { totalCount: Math.max(COUNTED + 1, open.totalCount - known), isTotalCountEstimated: true }
}

/** Open events by severity, and those that came up last. */
export function OpenEvents({
  data,
  error,
}: {
  data: OpenEventsQuery | undefined
  error: string | null
}) {
  if (error) return <Problem message={error} />
  return (
    <Card
      title="Open events"
      aside={
        data && (
          <span className="row tight">
            {SEVERITIES.map((severity) => (
              <Link
                key={severity}
                to="/events"
                search={{ q: `status:OPEN AND severity:${severity}` }}
                className="row tight"
              >
                <Severity severity={severity} />
                <span className="number">{totalOf(data[KEY[severity]])}</span>
              </Link>
            ))}
            <Link to="/events" search={{ q: OTHERS }} className="row tight">
              <span className="badge quiet">Info, other</span>
              <span className="number">{totalOf(restOf(data))}</span>
            </Link>
          </span>
        )
      }
    >
      <ul className="lines">
        {data?.open.nodes.length === 0 && <li className="faint">No event is open.</li>}
        {data?.open.nodes.map(({ id, title, severity, timesSeen, lastSeenAt }) => (
          <li key={id}>
            <Severity severity={severity} />
            <Link className="cut grow" to="/events/$id" params={{ id }}>
              {title}
            </Link>
            <span className="under number nowrap">
              {count(timesSeen)} ×, <Ago at={lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

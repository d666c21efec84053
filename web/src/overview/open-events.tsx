import { Link } from '@tanstack/react-router'
import type { OpenEventsQuery } from '../graph/generated.ts'
import { count } from '../ui/format.ts'
import { Card } from '../ui/parts.tsx'
import { Severity } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Problem } from '../ui/waiting.tsx'
import { restOf, totalOf } from './open-parts.ts'

const SEVERITIES = ['CRITICAL', 'ERROR', 'WARN'] as const
const KEY = { CRITICAL: 'critical', ERROR: 'error', WARN: 'warn' } as const

/** Severities of clients are among them, so that the parts add up. */
const OTHERS = 'status:OPEN AND NOT severity:(CRITICAL OR ERROR OR WARN)'

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

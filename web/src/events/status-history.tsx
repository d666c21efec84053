import { EventStatusHistoryDocument } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { count } from '../ui/format.ts'
import { Button, Card } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

/** Every change of status that is kept, the latest first. */
export function StatusHistory({ id }: { id: string }) {
  const { rows, total, isLoading, isMore, error, more, reload } = usePages(
    EventStatusHistoryDocument,
    { id },
    ({ event }) => event?.statusHistory,
    { size: 50 },
  )
  return (
    <Card
      title="Status history"
      aside={total !== null && <span className="under number">{count(total)}</span>}
    >
      {error && <Problem message={error} retry={reload} />}
      {total === 0 && <p className="body faint">Its status has not changed.</p>}
      {rows.length > 0 && (
        <ol className="stack body">
          {rows.map(({ at, changedBy, comment, fromStatus, toStatus }) => (
            <li key={`${at} ${toStatus}`} className="row">
              <StateBadge state={fromStatus} />
              <span className="faint">to</span>
              <StateBadge state={toStatus} />
              <span className="under">
                <Ago at={at} /> by {changedBy ?? 'an occurrence'}
              </span>
              {comment && <q className="soft">{comment}</q>}
            </li>
          ))}
        </ol>
      )}
      {isLoading && <Loading lines={3} inCard />}
      {isMore && !isLoading && !error && (
        <div className="body">
          <Button onClick={more}>Show more</Button>
        </div>
      )}
    </Card>
  )
}

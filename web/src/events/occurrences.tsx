import { Link } from '@tanstack/react-router'
import { EventOccurrencesDocument, type EventOccurrencesQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { total } from '../ui/format.ts'
import { Button, Card } from '../ui/parts.tsx'
import { Severity, StateBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

type Occurrence = NonNullable<EventOccurrencesQuery['event']>['occurrences']['nodes'][number]

/** Every occurrence that is kept, the one received last first. */
export function Occurrences({ id }: { id: string }) {
  const {
    rows,
    total: all,
    isEstimated,
    isLoading,
    isMore,
    error,
    more,
    reload,
  } = usePages(EventOccurrencesDocument, { id }, ({ event }) => event?.occurrences)
  return (
    <Card
      title="Occurrences"
      aside={all !== null && <span className="under number">{total(all, isEstimated)}</span>}
    >
      {error && <Problem message={error} retry={reload} />}
      {rows.length > 0 && <Table label="Occurrences" columns={COLUMNS} rows={rows} />}
      {isLoading && <Loading lines={3} inCard />}
      {isMore && !isLoading && !error && (
        <div className="body">
          <Button onClick={more}>Show more</Button>
        </div>
      )}
    </Card>
  )
}

const COLUMNS: readonly Column<Occurrence>[] = [
  {
    title: 'Severity',
    width: '6.5rem',
    narrow: '2rem',
    untitled: true,
    cell: ({ severity }) => <Severity severity={severity} />,
  },
  {
    title: 'Message',
    width: 'minmax(10rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ message, title, execution }) =>
      execution ? (
        <div className="cut">
          <Link to="/executions/$id" params={{ id: execution.id }} className="cover">
            {message ?? title}
          </Link>
        </div>
      ) : (
        <div className="cut">{message ?? title}</div>
      ),
  },
  { title: 'Status', width: '9rem', cell: ({ status }) => <StateBadge state={status} /> },
  { title: 'Happened', width: '7rem', cell: ({ occurredAt }) => <Ago at={occurredAt} /> },
  {
    title: 'Received',
    width: '7rem',
    narrow: '6rem',
    end: true,
    cell: ({ receivedAt }) => <Ago at={receivedAt} />,
  },
]

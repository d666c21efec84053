import { Link } from '@tanstack/react-router'
import { type ExecutionResultFilter, FlakyDocument, type FlakyQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { count, percent } from '../ui/format.ts'
import { Card, Empty } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

type Row = FlakyQuery['flakyContexts'][number]

/** Scenarios and suites whose verdict changes although what they run does not, the worst first. */
export function Flaky({ filter }: { filter: ExecutionResultFilter }) {
  const { startedFrom: from = null, ...others } = filter
  const { data, error, isLoading, reload } = useRead(FlakyDocument, { filter: others, from })
  const rows = data?.flakyContexts ?? []
  return (
    <Card title="Flaky: changed result though nothing had changed">
      {error && <Problem message={error} retry={reload} />}
      {isLoading && <Loading lines={3} inCard />}
      {data && rows.length === 0 && (
        <Empty icon="check" title="Nothing is flaky">
          <p>
            A scenario or suite appears here when executions of the same revisions end differently.
          </p>
        </Empty>
      )}
      {rows.length > 0 && <Table label="Flaky" columns={COLUMNS} rows={rows} />}
    </Card>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Score',
    width: '8rem',
    narrow: '5rem',
    cell: ({ score }) => (
      <span className="row nowrap">
        <meter
          className="wide"
          min={0}
          max={1}
          value={Number(score.toFixed(2))}
          aria-label="Flaky score"
        />
        <span className="number">{percent(score)}</span>
      </span>
    ),
  },
  {
    title: 'Name',
    width: 'minmax(10rem, 3fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, name }) => (
      <div className="cut">
        <Link to="/trends" search={{ context: id }} className="cover" title={name}>
          {name}
        </Link>
      </div>
    ),
  },
  { title: 'Kind', width: '6rem', cell: ({ type }) => (type === 'SUITE' ? 'Suite' : 'Scenario') },
  { title: 'Last', width: '8rem', cell: ({ lastState }) => <StateBadge state={lastState} /> },
  {
    title: 'Changed',
    width: '9rem',
    narrow: '6rem',
    end: true,
    cell: ({ changes, runs }) => (
      <span className="number">
        {count(changes)} of {count(Math.max(1, runs - 1))}
      </span>
    ),
  },
]

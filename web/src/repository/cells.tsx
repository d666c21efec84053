import { Link } from '@tanstack/react-router'
import { stateOf } from '../executions/search.ts'
import { StateBadge } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import type { ArtifactKind } from './reading.tsx'

interface Named {
  id: string
  name: string
  description: string | null
}

/** Name and description; the link covers the row. */
export const nameColumn = <Row extends Named>({ page }: ArtifactKind): Column<Row> => ({
  title: 'Name',
  sortedBy: 'name',
  width: 'minmax(12rem, 3fr)',
  narrow: 'minmax(0, 1fr)',
  cell: ({ id, name, description }) => (
    <>
      <div className="cut" dir="auto">
        <Link to={page} params={{ id }} className="cover" title={name}>
          {name}
        </Link>
      </div>
      <div className="under cut" dir="auto">
        {description ?? id}
      </div>
    </>
  ),
})

interface Ran {
  results: {
    nodes: readonly {
      id: string
      state: string
      errorCode: string | null
      started: string
    }[]
  }
}

export const lastRun = <Row extends Ran>(): Column<Row> => ({
  title: 'Last execution',
  width: '13rem',
  narrow: '7rem',
  cell: ({ results: { nodes } }) => {
    const [last] = nodes
    return last ? (
      <span className="row tight above nowrap">
        <Link to="/executions/$id" params={{ id: last.id }}>
          <StateBadge state={stateOf(last)} />
        </Link>
        <span className="under wide">
          <Ago at={last.started} />
        </span>
      </span>
    ) : (
      <span className="faint">Never ran</span>
    )
  },
})

export const changed = <Row extends { updated: string }>(): Column<Row> => ({
  title: 'Changed',
  sortedBy: '-updated',
  width: '7rem',
  end: true,
  cell: ({ updated }) => <Ago at={updated} />,
})

import { Link } from '@tanstack/react-router'
import { Run } from '../executions/run.tsx'
import { ScenariosDocument, type ScenariosQuery } from '../graph/generated.ts'
import { actionColumn } from '../ui/action-column.tsx'
import type { Column } from '../ui/table.tsx'
import { changed, lastRun, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

type Row = ScenariosQuery['page']['nodes'][number]

export default function Scenarios() {
  return (
    <ListPage
      kind={KINDS.scenario}
      document={ScenariosDocument}
      columns={COLUMNS}
      hint="A scenario calls a component, sends requests, and says what it expects of the answers."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.scenario),
  {
    title: 'Component',
    width: 'minmax(6rem, 1fr)',
    cell: (row) => <span className="cut soft">{row.componentUnderTest?.name}</span>,
  },
  {
    title: 'Tags',
    width: 'minmax(6rem, 1fr)',
    cell: ({ tags, quarantine }) => (
      <span className="row tight above nowrap cut">
        {quarantine && <span className="badge">Quarantine</span>}
        {tags.map((tag) => (
          <Link key={tag} className="tag" to="/repository/scenarios" search={{ tag }}>
            {tag}
          </Link>
        ))}
      </span>
    ),
  },
  lastRun(),
  changed(),
  actionColumn({ width: '5rem', permission: 'executions:run' }, ({ id }) => (
    <Run contextId={id} small />
  )),
]

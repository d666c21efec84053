import { Run } from '../executions/run.tsx'
import { SuitesDocument, type SuitesQuery } from '../graph/generated.ts'
import { actionColumn } from '../ui/action-column.tsx'
import type { Column } from '../ui/table.tsx'
import { changed, lastRun, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

type Row = SuitesQuery['page']['nodes'][number]

export default function Suites() {
  return (
    <ListPage
      kind={KINDS.suite}
      document={SuitesDocument}
      columns={COLUMNS}
      hint="A suite executes scenarios together."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.suite),
  {
    title: 'Scenarios',
    width: '5.5rem',
    end: true,
    cell: ({ testCases }) => <span className="number">{testCases.length}</span>,
  },
  lastRun(),
  changed(),
  actionColumn({ width: '5rem', permission: 'executions:run' }, ({ id }) => (
    <Run contextId={id} small />
  )),
]

import { getRouteApi } from '@tanstack/react-router'
import { Run } from '../executions/run.tsx'
import { SuitesDocument, type SuitesQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { actionColumn } from '../ui/action-column.tsx'
import type { Column } from '../ui/table.tsx'
import { changed, lastRun, nameColumn } from './cells.tsx'
import { byName, ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

const route = getRouteApi('/repository/suites')
type Row = SuitesQuery['suites']['nodes'][number]

export default function Suites() {
  const search = route.useSearch()
  const list = usePages(SuitesDocument, byName(search), ({ suites }) => suites)
  return (
    <ListPage
      kind={KINDS.suite}
      search={search}
      columns={COLUMNS}
      list={list}
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
  actionColumn({ width: '5rem' }, ({ id }) => <Run contextId={id} small />),
]

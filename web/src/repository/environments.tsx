import { getRouteApi } from '@tanstack/react-router'
import { EnvironmentsDocument, type EnvironmentsQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { byName, ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

const route = getRouteApi('/repository/environments')
type Row = EnvironmentsQuery['environments']['nodes'][number]

export default function Environments() {
  const search = route.useSearch()
  const list = usePages(EnvironmentsDocument, byName(search), ({ environments }) => environments)
  return (
    <ListPage
      kind={KINDS.environment}
      search={search}
      columns={COLUMNS}
      list={list}
      hint="An environment holds addresses, variables and secrets that scenarios use."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.environment),
  {
    title: 'Base address',
    width: 'minmax(8rem, 2fr)',
    cell: ({ baseUrl }) => <span className="cut mono">{baseUrl ?? ''}</span>,
  },
  changed(),
]

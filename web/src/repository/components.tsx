import { getRouteApi } from '@tanstack/react-router'
import { ComponentsDocument, type ComponentsQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { byName, ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

const route = getRouteApi('/repository/components')
type Row = ComponentsQuery['components']['nodes'][number]

export default function Components() {
  const search = route.useSearch()
  const list = usePages(ComponentsDocument, byName(search), ({ components }) => components)
  return (
    <ListPage
      kind={KINDS.component}
      search={search}
      columns={COLUMNS}
      list={list}
      hint="A component is the code under test: a module whose functions scenarios call."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.component),
  {
    title: 'Language',
    width: '7rem',
    narrow: '6rem',
    cell: ({ language }) => (language === 'TYPESCRIPT' ? 'TypeScript' : 'JavaScript'),
  },
  changed(),
]

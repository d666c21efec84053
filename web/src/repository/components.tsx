import { getRouteApi, Link } from '@tanstack/react-router'
import { ComponentsDocument, type ComponentsQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { byName, ListPage } from './list-page.tsx'

const route = getRouteApi('/repository/components')
type Row = ComponentsQuery['components']['nodes'][number]

export default function Components() {
  const search = route.useSearch()
  const list = usePages(ComponentsDocument, byName(search), ({ components }) => components)
  return (
    <ListPage
      title="Components"
      to="/repository/components"
      search={search}
      columns={COLUMNS}
      list={list}
      actions={
        <Link className="button primary" to="/repository/components/new">
          New component
        </Link>
      }
      hint="A component is the code under test: a module whose functions scenarios call."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn('/repository/components/$id'),
  {
    title: 'Language',
    width: '7rem',
    narrow: '6rem',
    cell: ({ language }) => (language === 'TYPESCRIPT' ? 'TypeScript' : 'JavaScript'),
  },
  changed(),
]

import { ComponentsDocument, type ComponentsQuery } from '../graph/generated.ts'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

type Row = ComponentsQuery['page']['nodes'][number]

export default function Components() {
  return (
    <ListPage
      kind={KINDS.component}
      document={ComponentsDocument}
      columns={COLUMNS}
      hint="A component is the code under test: a module whose functions scenarios call."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.component),
  {
    title: 'Language',
    sortedBy: 'language',
    width: '7rem',
    narrow: '6rem',
    cell: ({ language }) => (language === 'TYPESCRIPT' ? 'TypeScript' : 'JavaScript'),
  },
  changed(),
]

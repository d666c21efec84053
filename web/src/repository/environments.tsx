import { EnvironmentsDocument, type EnvironmentsQuery } from '../graph/generated.ts'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'

type Row = EnvironmentsQuery['page']['nodes'][number]

export default function Environments() {
  return (
    <ListPage
      kind={KINDS.environment}
      document={EnvironmentsDocument}
      columns={COLUMNS}
      hint="An environment holds addresses, variables and secrets that scenarios use."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.environment),
  {
    title: 'Base URL',
    sortedBy: 'baseUrl',
    width: 'minmax(8rem, 2fr)',
    cell: ({ baseUrl }) => <span className="cut mono">{baseUrl ?? ''}</span>,
  },
  changed(),
]

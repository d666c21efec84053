import { ReceiversDocument, type ReceiversQuery } from '../graph/generated.ts'
import { changed, nameColumn } from '../repository/cells.tsx'
import { ListPage } from '../repository/list-page.tsx'
import { KINDS } from '../repository/reading.tsx'
import type { Column } from '../ui/table.tsx'
import { addressOf } from './receiver-draft.ts'

type Row = ReceiversQuery['page']['nodes'][number]

export default function Receivers() {
  return (
    <ListPage
      kind={KINDS.receiver}
      document={ReceiversDocument}
      columns={COLUMNS}
      hint="A receiver makes events of JSON that another tool sends to its address. Some tools need none: they have receivers of their own."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.receiver),
  {
    title: 'Address',
    width: 'minmax(8rem, 2fr)',
    cell: ({ name }) => <code className="cut">{addressOf(name)}</code>,
  },
  changed(),
]

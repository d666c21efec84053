import { SilencesDocument, type SilencesQuery } from '../graph/generated.ts'
import { changed, nameColumn } from '../repository/cells.tsx'
import { ListPage } from '../repository/list-page.tsx'
import { KINDS } from '../repository/reading.tsx'
import type { Column } from '../ui/table.tsx'
import { SilenceTimes } from './silence-times.tsx'

type Row = SilencesQuery['page']['nodes'][number]

export default function Silences() {
  return (
    <ListPage
      kind={KINDS.silence}
      document={SilencesDocument}
      columns={COLUMNS}
      hint="A silence keeps notifications of events back for a time, or each week."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.silence),
  {
    title: 'Events',
    width: 'minmax(8rem, 2fr)',
    cell: ({ query, reason }) => (
      <>
        <div className="cut mono">{query}</div>
        <div className="under cut" dir="auto">
          {reason}
        </div>
      </>
    ),
  },
  { title: 'Times', width: '14rem', cell: (silence) => <SilenceTimes {...silence} /> },
  changed(),
]

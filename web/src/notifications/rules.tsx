import { NotificationsPausedDocument, RulesDocument, type RulesQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { changed, nameColumn } from '../repository/cells.tsx'
import { ListPage } from '../repository/list-page.tsx'
import { KINDS } from '../repository/reading.tsx'
import type { Column } from '../ui/table.tsx'

type Row = RulesQuery['page']['nodes'][number]

export default function Rules() {
  return (
    <ListPage
      kind={KINDS.rule}
      document={RulesDocument}
      columns={COLUMNS}
      notice={<Paused />}
      hint="A rule notifies channels of changes of those events that its query selects."
    />
  )
}

/** Why nothing is sent. */
function Paused() {
  const { data } = useRead(NotificationsPausedDocument, {})
  const reason = data?.notificationsPaused
  return (
    reason && (
      <div className="notice bad" role="alert">
        No notification is sent. {reason}.
      </div>
    )
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.rule),
  {
    title: 'Events',
    width: 'minmax(8rem, 2fr)',
    cell: ({ query }) => <span className="cut mono">{query}</span>,
  },
  {
    title: 'Channels',
    width: 'minmax(8rem, 1fr)',
    cell: ({ channels }) => (
      <span className="cut">{channels.map(({ name }) => name).join(', ')}</span>
    ),
  },
  { title: 'Enabled', width: '6rem', cell: ({ enabled }) => (enabled ? 'Yes' : 'No') },
  changed(),
]

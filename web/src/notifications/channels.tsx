import { ChannelsDocument, type ChannelsQuery } from '../graph/generated.ts'
import { changed, nameColumn } from '../repository/cells.tsx'
import { ListPage } from '../repository/list-page.tsx'
import { KINDS } from '../repository/reading.tsx'
import type { Column } from '../ui/table.tsx'
import { CHANNEL_KINDS } from './words.ts'

type Row = ChannelsQuery['page']['nodes'][number]

export default function Channels() {
  return (
    <ListPage
      kind={KINDS.channel}
      document={ChannelsDocument}
      columns={COLUMNS}
      hint="A channel is where notifications go: a webhook, a chat or addresses of e-mail."
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.channel),
  { title: 'Kind', width: '10rem', cell: ({ kind }) => CHANNEL_KINDS[kind] },
  {
    title: 'Address',
    width: 'minmax(8rem, 2fr)',
    cell: ({ url, to }) => <span className="cut">{url ?? to.join(', ')}</span>,
  },
  changed(),
]

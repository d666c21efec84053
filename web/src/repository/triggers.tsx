import { Run } from '../executions/run.tsx'
import { TriggersDocument, type TriggersQuery } from '../graph/generated.ts'
import { actionColumn } from '../ui/action-column.tsx'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'
import { SENDERS } from './trigger-sender.tsx'
import { Paused, ranColumn } from './unattended.tsx'

type Row = TriggersQuery['page']['nodes'][number]

export default function Triggers() {
  return (
    <ListPage
      kind={KINDS.trigger}
      document={TriggersDocument}
      columns={COLUMNS}
      hint="A trigger executes a scenario or suite when an event changes, or when GitHub, GitLab or another sender calls it."
      notice={<Paused />}
    />
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.trigger),
  {
    title: 'Started by',
    width: 'minmax(8rem, 2fr)',
    cell: ({ query, webhook, enabled }) => (
      <>
        {webhook ? (
          <div className="cut">{SENDERS[webhook].title}</div>
        ) : (
          <div className="cut mono">{query}</div>
        )}
        {!enabled && <div className="under">Paused</div>}
      </>
    ),
  },
  ranColumn(),
  changed(),
  actionColumn({ width: '5rem', permission: 'executions:run' }, ({ target }) => (
    <Run contextId={target.id} small />
  )),
]

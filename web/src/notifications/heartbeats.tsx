import type { TypedDocumentNode } from '@urql/core'
import { change } from '../graph/client.ts'
import {
  DeleteHeartbeatDocument,
  HeartbeatsDocument,
  type HeartbeatsQuery,
  PauseHeartbeatDocument,
  ResumeHeartbeatDocument,
} from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { List, Total } from '../ui/list.tsx'
import { Button, Empty, Page } from '../ui/parts.tsx'
import { isSure } from '../ui/question.tsx'
import { StateBadge } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'

type Row = HeartbeatsQuery['heartbeats']['nodes'][number] & { id: string }

/** Signs of life, and which are missing. */
export default function Heartbeats() {
  const list = usePages(HeartbeatsDocument, {}, ({ heartbeats: { nodes, ...page } }) => ({
    ...page,
    nodes: nodes.map((node) => ({ ...node, id: node.name })),
  }))
  return (
    <Page title="Heartbeats" full beside={<Total of={list.total} />}>
      <List
        label="Heartbeats"
        columns={columnsOf(list.reload)}
        list={list}
        scrolls
        rowHeight={52}
        nothing={
          <Empty icon="clock" title="There is none yet">
            <p>
              A job that posts to /v1/heartbeats/NAME?every=1d each time it runs is listed here. A
              missing one opens an event.
            </p>
          </Empty>
        }
      />
    </Page>
  )
}

const columnsOf = (reload: () => void): readonly Column<Row>[] => {
  const act = (document: TypedDocumentNode<unknown, { input: { name: string } }>, name: string) =>
    attempt(async () => {
      await change(document, { input: { name } })
      reload()
    })
  return [
    {
      title: 'State',
      width: '7rem',
      narrow: '2.5rem',
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      title: 'Name',
      width: 'minmax(10rem, 3fr)',
      narrow: 'minmax(0, 1fr)',
      cell: ({ name }) => <span className="cut">{name}</span>,
    },
    { title: 'Every', width: '6rem', cell: ({ every }) => every },
    { title: 'Last one', width: '9rem', cell: ({ seenAt }) => <Ago at={seenAt} /> },
    actionColumn({ width: '12rem', permission: 'artifacts:write' }, ({ name, state }) => (
      <span className="row tight">
        {state === 'PAUSED' ? (
          <Button small onClick={() => act(ResumeHeartbeatDocument, name)}>
            Resume
          </Button>
        ) : (
          <Button small onClick={() => act(PauseHeartbeatDocument, name)}>
            Pause
          </Button>
        )}
        <Button
          small
          look="plain"
          onClick={async () => {
            if (await isSure(`Delete ${name}?`, 'Delete')) void act(DeleteHeartbeatDocument, name)
          }}
        >
          Delete
        </Button>
      </span>
    )),
  ]
}

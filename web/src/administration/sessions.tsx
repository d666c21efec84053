import { useState } from 'react'
import { useMay } from '../app/account.tsx'
import { change } from '../graph/client.ts'
import {
  BrowserSessionsDocument,
  type BrowserSessionsQuery,
  EndBrowserSessionDocument,
  SignOutEverywhereDocument,
} from '../graph/generated.ts'
import { signOut } from '../graph/session.ts'
import { useRead } from '../graph/use-read.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { Check } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { LoadingRows, Problem } from '../ui/waiting.tsx'

type Row = BrowserSessionsQuery['browserSessions'][number]

/** Browsers that are signed in: the reader's own, and for administrators everyone's. */
export function Sessions() {
  const mayAll = useMay('accounts:manage')
  const [everyone, setEveryone] = useState(false)
  const { data, error, isLoading, reload } = useRead(BrowserSessionsDocument, { everyone })
  const end = (id: string) =>
    attempt(async () => {
      await change(EndBrowserSessionDocument, { id })
      reload()
      return 'The session has ended, and its streams with it'
    })
  return (
    <div className="stack">
      <div className="row">
        {mayAll && (
          <Check className="chip" label="Everyone's" isOn={everyone} onChange={setEveryone} />
        )}
        <span className="grow" />
        <Button look="danger" onClick={everywhere}>
          Sign out everywhere
        </Button>
      </div>
      {error && <Problem message={error} retry={reload} />}
      {isLoading && <LoadingRows />}
      {data && <Table label="Sessions" columns={columnsOf(end)} rows={data.browserSessions} />}
    </div>
  )
}

const everywhere = () =>
  attempt(async () => {
    await change(SignOutEverywhereDocument, {})
    await signOut()
  })

const columnsOf = (end: (id: string) => void): readonly Column<Row>[] => [
  {
    title: 'User',
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ user, isCurrent }) => (
      <span className="cut">
        {user}
        {isCurrent && ' (this one)'}
      </span>
    ),
  },
  {
    title: 'Browser',
    width: 'minmax(8rem, 2fr)',
    cell: ({ browser }) => (
      <span className="cut soft" title={browser}>
        {browser}
      </span>
    ),
  },
  {
    title: 'Address',
    width: '9rem',
    cell: ({ address }) => <span className="soft">{address}</span>,
  },
  {
    title: 'Last used',
    width: '7rem',
    narrow: '6rem',
    cell: ({ lastUsed }) => <Ago at={lastUsed} />,
  },
  actionColumn({ width: '5rem', narrow: '4.5rem' }, ({ id }) => (
    <Button small look="danger" onClick={() => end(id)}>
      End
    </Button>
  )),
]

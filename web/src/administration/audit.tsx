import { useState } from 'react'
import { AuditLogDocument, type AuditLogQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { Form } from '../ui/inputs.tsx'
import { List } from '../ui/list.tsx'
import { Button, Empty } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'

type Row = AuditLogQuery['auditLog']['nodes'][number]

/** Audit log, the latest first. */
export function Audit() {
  const [user, setUser] = useState('')
  const list = usePages(
    AuditLogDocument,
    { filter: user ? { user } : null },
    ({ auditLog }) => auditLog,
  )
  return (
    <div className="stack audit">
      <Form className="row" onSubmit={(form) => setUser(String(form.get('user')))}>
        <input
          className="input named"
          name="user"
          data-search
          aria-label="User"
          placeholder="User"
        />
        <Button type="submit" icon="search">
          Search
        </Button>
      </Form>
      <List
        label="Audit log"
        columns={COLUMNS}
        list={list}
        scrolls
        nothing={<Empty icon="shield" title="No entry" />}
      />
    </div>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Action',
    width: 'minmax(9rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ action }) => <span className="cut mono">{action}</span>,
  },
  {
    title: 'Target',
    width: 'minmax(9rem, 2fr)',
    cell: ({ target }) => (
      <span className="cut soft" title={target ?? undefined}>
        {target ?? ''}
      </span>
    ),
  },
  {
    title: 'User',
    width: 'minmax(6rem, 1fr)',
    narrow: '4.5rem',
    cell: ({ user, subject }) => (
      <span className="cut" title={subject ?? undefined}>
        {user ?? 'no sign-in'}
      </span>
    ),
  },
  {
    title: 'Address',
    width: '9rem',
    cell: ({ address }) => <span className="cut soft">{address ?? ''}</span>,
  },
  { title: 'When', width: '7rem', narrow: '5rem', end: true, cell: ({ at }) => <Ago at={at} /> },
]

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AuditLogDocument, type AuditLogQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { KINDS } from '../repository/reading.tsx'
import { Form } from '../ui/inputs.tsx'
import { List } from '../ui/list.tsx'
import { Button, Empty } from '../ui/parts.tsx'
import { spanOf } from '../ui/range.ts'
import { RangeSelect } from '../ui/range-select.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { administrationSearch } from './search.ts'

const route = getRouteApi('/administration')
type Row = AuditLogQuery['auditLog']['nodes'][number]

/** Audit log, the latest first. */
export function Audit() {
  const navigate = useNavigate()
  const { tab, user = null, action = null, target = null, ...range } = route.useSearch()
  const [now] = useState(Date.now)
  const list = usePages(
    AuditLogDocument,
    { filter: { user, action, target, ...spanOf(range, now) } },
    ({ auditLog }) => auditLog,
  )
  const given = { user, action, target }
  const set = (change: Record<string, unknown>) =>
    void navigate({
      to: '/administration',
      search: administrationSearch({ tab, ...given, ...range, ...change }),
    })
  return (
    <div className="stack audit">
      <Form
        className="row"
        onSubmit={(form) =>
          set(Object.fromEntries(FIELDS.map(({ name }) => [name, String(form.get(name))])))
        }
      >
        {FIELDS.map(({ name, label }, index) => (
          <input
            key={`${name} ${given[name] ?? ''}`}
            className="input named"
            name={name}
            data-search={index === 0 ? '' : undefined}
            aria-label={label}
            placeholder={label}
            defaultValue={given[name] ?? ''}
          />
        ))}
        <RangeSelect range={range} any="Any time" onChange={set} />
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

const FIELDS = [
  { name: 'user', label: 'User' },
  { name: 'action', label: 'Action, such as updateSuite' },
  { name: 'target', label: 'Target' },
] as const

/** Pages of targets, by actions on what is no artifact. */
const PAGES: readonly [RegExp, string][] = [
  [/^cancelExecution$/, '/executions/$id'],
  [/^setEventStatus(es)?$/, '/events/$id'],
]

/** Page of what an action changed; undefined where it has none, or is gone. */
function pageBehind(action: string): string | undefined {
  const changed = /^(?:create|update)(.+)$/.exec(action)?.[1]?.toLowerCase()
  const noun = changed === 'testcase' ? 'scenario' : changed
  const kind = Object.values(KINDS).find((each) => each.noun === noun)
  return kind?.page ?? PAGES.find(([of]) => of.test(action))?.[1]
}

function Target({ action, target }: Pick<Row, 'action' | 'target'>) {
  const to = pageBehind(action)
  if (target === null || to === undefined) return target ?? ''
  return (
    <Link to={to} params={{ id: target }}>
      {target}
    </Link>
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
    cell: ({ action, target }) => (
      <span className="cut soft" title={target ?? undefined}>
        <Target action={action} target={target} />
      </span>
    ),
  },
  {
    title: 'User',
    width: 'minmax(6rem, 1fr)',
    narrow: '4.5rem',
    cell: ({ user, subject }) => (
      <span className="cut" title={subject ?? undefined}>
        {user === null ? (
          'no sign-in'
        ) : (
          <Link to="/administration" search={{ tab: 'audit', user }}>
            {user}
          </Link>
        )}
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

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type CauseRowFragment, CausesDocument } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { count, plural } from '../ui/format.ts'
import { Check, Select } from '../ui/inputs.tsx'
import { List, Total } from '../ui/list.tsx'
import { Empty, Page } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { nameOf, Verdict } from './parts.tsx'
import { type CauseSearch, causeSearch, causesOf, VERDICTS } from './search.ts'

const route = getRouteApi('/executions/causes')

const OPTIONS = [
  { name: '', title: 'All verdicts' },
  { name: 'NONE', title: 'Without a verdict' },
  ...Object.entries(VERDICTS).map(([name, title]) => ({ name, title })),
]

/** Causes of failures, those seen last first. */
export default function Causes() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const list = usePages(
    CausesDocument,
    { filter: null, causes: causesOf(search) },
    ({ failureCauses }) => failureCauses,
    { isKept: true },
  )
  const go = (next: { [Name in keyof CauseSearch]?: unknown }) =>
    void navigate({ to: '/executions/causes', search: causeSearch({ ...search, ...next }) })
  return (
    <Page
      title="Causes of failures"
      full
      beside={<Total of={list.total} />}
      crumbs={<Link to="/executions">Executions</Link>}
    >
      <div className="row">
        <Select
          label="Verdict"
          className="fit"
          data-search
          value={search.verdict ?? ''}
          options={OPTIONS}
          onChange={(verdict) => go({ verdict })}
        />
        <Check
          label="Also those by which nothing fails now"
          isOn={search.all ?? false}
          onChange={(all) => go({ all })}
        />
      </div>
      <List
        label="Causes"
        columns={COLUMNS}
        list={list}
        scrolls
        rowHeight={52}
        nothing={
          <Empty icon="check" title="Nothing fails">
            <p>Failures that are alike appear here as one row, with all scenarios they hit.</p>
          </Empty>
        }
      />
    </Page>
  )
}

const COLUMNS: readonly Column<CauseRowFragment>[] = [
  {
    title: 'Cause',
    width: 'minmax(12rem, 3fr)',
    narrow: 'minmax(0, 1fr)',
    cell: (row) => (
      <>
        <div className="cut" dir="auto">
          <Link to="/executions/causes/$id" params={{ id: row.causeId }} className="cover">
            {nameOf(row)}
          </Link>
        </div>
        <div className="under cut" title={row.message}>
          {row.message}
        </div>
      </>
    ),
  },
  { title: 'Verdict', width: 'minmax(7rem, 1fr)', cell: (row) => <Verdict of={row} /> },
  {
    title: 'Failing now',
    width: '9rem',
    narrow: '6rem',
    end: true,
    cell: ({ currentCount }) => (
      <span className="number nowrap">{plural(currentCount, 'scenario')}</span>
    ),
  },
  {
    title: 'Failures',
    width: '6rem',
    end: true,
    cell: (row) => <span className="number">{count(row.count)}</span>,
  },
  {
    title: 'Since',
    width: '7rem',
    cell: ({ since, firstSeen }) => <Ago at={since?.started ?? firstSeen} />,
  },
  { title: 'Last seen', width: '7rem', cell: ({ lastSeen }) => <Ago at={lastSeen} /> },
]

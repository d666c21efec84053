import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../app/account.tsx'
import { useBatch } from '../graph/batch.ts'
import { change } from '../graph/client.ts'
import {
  CancelExecutionDocument,
  type ExecutionRowFragment,
  ExecutionsDocument,
} from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { withChanged } from '../graph/rows.ts'
import { EXECUTIONS, useFollow } from '../graph/use-follow.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { List, Total } from '../ui/list.tsx'
import { Button, Empty, Page } from '../ui/parts.tsx'
import { isSure } from '../ui/question.tsx'
import { knownSort, sortInput } from '../ui/sort.ts'
import { StateBadge } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago, Took } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Filters } from './filters.tsx'
import { Marks } from './marks.tsx'
import { Run } from './run.tsx'
import { executionSearch, filterOf, isFiltered, isInState, stateOf } from './search.ts'

const route = getRouteApi('/executions')

/** All executions, the latest first; new ones appear at the top as they start. */
export default function Executions() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [now] = useState(Date.now)
  const sort = knownSort(search, COLUMNS) ?? NEWEST
  const filter = filterOf(search, now)
  const isFollowed = useFollow(
    EXECUTIONS,
    { filter: { ...filter, states: null, errorCodes: null } },
    ({ execution }) => update(execution),
    () => list.reload(),
  )
  const list = usePages(
    ExecutionsDocument,
    { filter, sort: sort === NEWEST ? null : sortInput(sort) },
    ({ executionResults }) => executionResults,
    { skip: !isFollowed, isKept: true },
  )
  const update = useBatch<ExecutionRowFragment>((changed) =>
    list.patch((before, last) =>
      withChanged(before, changed, {
        isBefore: sort === NEWEST ? isNewer : undefined,
        isWanted: (row) => isInState(search, row),
        last,
      }),
    ),
  )

  return (
    <Page
      title="Executions"
      full
      beside={<Total of={list.total} />}
      actions={
        <Link className="button" to="/executions/causes">
          Causes
        </Link>
      }
    >
      <Filters search={search} />
      <List
        label="Executions"
        columns={COLUMNS}
        list={list}
        sort={sort}
        onSort={(next) =>
          void navigate({
            to: '/executions',
            search: executionSearch({ ...search, sort: next === NEWEST ? undefined : next }),
          })
        }
        scrolls
        rowHeight={52}
        nothing={!list.isMore && <Nothing isNarrowed={isFiltered(search)} />}
      />
    </Page>
  )
}

/** Order of the list without another one: it has cursors, and new executions appear in it. */
const NEWEST = '-started'

/** Ids are UUIDv7: they sort by the time of their creation. */
const isNewer = (row: ExecutionRowFragment, other: ExecutionRowFragment) => row.id > other.id

const COLUMNS: readonly Column<ExecutionRowFragment>[] = [
  {
    title: 'State',
    sortedBy: 'state',
    width: '7rem',
    cell: (row) => <StateBadge state={stateOf(row)} />,
  },
  {
    title: 'Name',
    sortedBy: 'name',
    width: 'minmax(12rem, 3fr)',
    narrow: 'minmax(0, 1fr)',
    cell: (row) => (
      <>
        <div className="cut" dir="auto">
          <Link
            to="/executions/$id"
            params={{ id: row.id }}
            className="cover"
            title={row.contextName}
          >
            {row.contextName}
          </Link>
        </div>
        <div className="under cut">
          <span className="narrow">
            <StateBadge state={stateOf(row)} /> <Ago at={row.started} /> ·{' '}
          </span>
          <Marks of={row} /> {row.labels.map(({ name, value }) => `${name}=${value} · `)}
          {kindOf(row)}
          {row.message ? ` · ${row.message}` : progress(row)}
        </div>
      </>
    ),
  },
  {
    title: 'By',
    sortedBy: 'executedBy',
    width: 'minmax(5rem, 1fr)',
    cell: ({ executedBy }) => <span className="cut soft">{executedBy}</span>,
  },
  {
    title: 'Started',
    sortedBy: NEWEST,
    width: '7rem',
    cell: ({ started }) => <Ago at={started} />,
  },
  {
    title: 'Duration',
    sortedBy: '-durationMs',
    width: '5.5rem',
    narrow: '4rem',
    end: true,
    cell: (row) => <Took of={row} />,
  },
  actionColumn({ width: '7.5rem', permission: 'executions:run' }, (row) =>
    row.state === 'RUNNING' ? (
      <Cancel of={row} small />
    ) : (
      <Run contextId={row.contextId} label="Run again" small />
    ),
  ),
]

const kindOf = ({ type, suiteResult }: ExecutionRowFragment): string => {
  if (type === 'SUITE') return 'Suite'
  return suiteResult ? `Scenario of ${suiteResult.contextName}` : 'Scenario'
}

const progress = ({
  state,
  progress: { scenarios, scenariosEnded },
}: ExecutionRowFragment): string =>
  state === 'RUNNING' && scenarios > 1 ? ` · ${scenariosEnded} of ${scenarios} scenarios` : ''

interface CancelProps {
  of: Pick<ExecutionRowFragment, 'id' | 'contextName'>
  small?: boolean
  look?: 'danger'
}

/** Cancels an execution after a question, where the viewer may. */
export const Cancel = ({ of, ...look }: CancelProps) =>
  useMay('executions:run') && (
    <Button {...look} icon="stop" onClick={() => cancel(of)}>
      Cancel
    </Button>
  )

const cancel = ({ id, contextName }: CancelProps['of']) =>
  attempt(async () => {
    const question = `Cancel the execution of ${contextName}?`
    if (!(await isSure(question, 'Cancel the execution', 'Keep it running'))) return undefined
    await change(CancelExecutionDocument, { input: { id } })
    return 'The execution was cancelled'
  })

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty icon="search" title="No execution matches">
      <p>Remove a filter to see more, or add the scenarios of suites.</p>
    </Empty>
  ) : (
    <Empty icon="play" title="Nothing was executed yet">
      <p>
        Run a scenario or a suite from the <Link to="/repository/suites">repository</Link>: it
        appears here at once, and its steps as they run. A report of other tests that is dropped on
        a page becomes an execution, too.
      </p>
    </Empty>
  )

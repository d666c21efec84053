import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Missing, useMay } from '../app/account.tsx'
import { CallbackDeliveriesDocument, type CallbackDeliveriesQuery } from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { Select } from '../ui/inputs.tsx'
import { List, Total } from '../ui/list.tsx'
import { Empty, Page } from '../ui/parts.tsx'
import { lookOf, StateBadge } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { Redeliver } from './delivery-list.tsx'
import { callbackSearch, STATES } from './search.ts'

const route = getRouteApi('/callbacks')
const OPTIONS = [
  { name: '', title: 'All states' },
  ...STATES.map((name) => ({ name, title: lookOf(name).word })),
]
type Row = CallbackDeliveriesQuery['callbackDeliveries']['nodes'][number]

/** Deliveries of results to callback URLs, the latest first. */
export default function Callbacks() {
  if (useMay('callbacks:manage')) return <Deliveries />
  return (
    <Page title="Callbacks">
      <Missing permission="callbacks:manage" title="You may not see callbacks" />
    </Page>
  )
}

function Deliveries() {
  const { state } = route.useSearch()
  const navigate = useNavigate()
  const list = usePages(
    CallbackDeliveriesDocument,
    { filter: state ? { state } : null },
    ({ callbackDeliveries }) => callbackDeliveries,
    { isKept: true },
  )
  return (
    <Page title="Callbacks" full beside={<Total of={list.total} />}>
      <Select
        label="State"
        className="fit"
        data-search
        value={state ?? ''}
        options={OPTIONS}
        onChange={(name) =>
          void navigate({ to: '/callbacks', search: callbackSearch({ state: name }) })
        }
      />
      <List
        label="Deliveries"
        columns={columnsOf(list.reload)}
        list={list}
        scrolls
        rowHeight={52}
        nothing={
          <Empty icon="send" title="No delivery">
            <p>
              An execution that is started with a callback URL posts its result there after the end.
              Deliveries and their attempts appear here.
            </p>
          </Empty>
        }
      />
    </Page>
  )
}

const columnsOf = (reload: () => void): readonly Column<Row>[] => [
  {
    title: 'State',
    width: '7rem',
    narrow: '2.5rem',
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    title: 'Execution',
    width: 'minmax(10rem, 2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ execution, url }) => (
      <>
        <div className="cut">
          <Link
            to="/executions/$id"
            params={{ id: execution.id }}
            search={{ tab: 'callbacks' }}
            className="cover"
          >
            {execution.contextName}
          </Link>
        </div>
        <div className="under cut">{url}</div>
      </>
    ),
  },
  {
    title: 'Last attempt',
    width: 'minmax(8rem, 1fr)',
    cell: ({ attempts }) => {
      const last = attempts.at(-1)
      return (
        <span className="cut soft">
          {last ? (last.error ?? `answered with ${last.status}`) : 'none yet'}
        </span>
      )
    },
  },
  {
    title: 'Attempts',
    width: '4.5rem',
    end: true,
    cell: ({ attempts }) => <span className="number">{attempts.length}</span>,
  },
  { title: 'Decided', width: '7rem', cell: ({ created }) => <Ago at={created} /> },
  actionColumn({ width: '8rem' }, ({ id, state }) =>
    state === 'PENDING' ? null : <Redeliver id={id} onChange={reload} />,
  ),
]

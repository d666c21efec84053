import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useBatch } from '../graph/batch.ts'
import {
  EventHistogramDocument,
  type EventRowFragment,
  EventsDocument,
} from '../graph/generated.ts'
import { usePages } from '../graph/pages.ts'
import { withChanged } from '../graph/rows.ts'
import { EVENTS, useFollow } from '../graph/use-follow.ts'
import { useRead } from '../graph/use-read.ts'
import { count, total } from '../ui/format.ts'
import { List, Total } from '../ui/list.tsx'
import { Empty, Page } from '../ui/parts.tsx'
import { hoursOf, spanOf } from '../ui/range.ts'
import { knownSort, sortInput } from '../ui/sort.ts'
import { Severity, StateBadge } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { intervalOf, MAX_DAYS, scaleOf } from './bins.ts'
import { ChooseAll, MOST } from './choose-all.tsx'
import { Histogram } from './histogram.tsx'
import { followed } from './query.ts'
import { QueryBar } from './query-bar.tsx'
import { type EventSearch, eventSearch, queryOf } from './search.ts'
import { StatusActions } from './status-actions.tsx'

const route = getRouteApi('/events')

/** Interval at which the histogram counts anew while events arrive: each time counts all that match. */
const COUNT_MS = 2_000

/** Events of one query that are chosen. */
interface Choice {
  query: string | null
  nodeIds: ReadonlySet<string>
  /** True if it was made of all that match. */
  isWhole: boolean
}

const NOTHING: Choice = { query: null, nodeIds: new Set(), isWhole: false }

/** Events that match the query, the latest new one first; an occurrence of a known event does not move it. */
export default function Events() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const query = queryOf(search)
  const sort = knownSort(search, SORTED_BY) ?? NEWEST
  const { scale, ...shown } = barsOf(search)
  const { others, isWanted } = followed(query)
  const [choice, setChoice] = useState(NOTHING)
  // A choice of another query would hold events that this list does not show.
  const { nodeIds: chosen, isWhole } = choice.query === query ? choice : NOTHING
  const isFollowed = useFollow(
    EVENTS,
    { query: others },
    ({ event }) => {
      update(event)
      countAnew(undefined)
    },
    () => readAnew(),
  )
  const list = usePages(EventsDocument, { query, sort: inputOf(sort) }, ({ events }) => events, {
    skip: !isFollowed,
    isKept: true,
  })
  const { rows, reload, patch } = list
  const update = useBatch<EventRowFragment>((changed) =>
    patch((before, last) =>
      withChanged(before, changed, {
        isBefore: sort === NEWEST ? isBefore : undefined,
        isWanted,
        last,
      }),
    ),
  )
  const histogram = useRead(EventHistogramDocument, { query, ...shown }, !isFollowed)
  const countAnew = useBatch<undefined>(histogram.reload, COUNT_MS)
  const readAnew = () => {
    reload()
    histogram.reload()
  }
  /** Reads the query anew that is shown once an action has ended. */
  const latest = useRef(readAnew)
  useEffect(() => {
    latest.current = readAnew
  })
  const anchor = useRef<string | null>(null)
  /** @param isRange takes the rows from the one that was chosen last along */
  const toggle = (nodeId: string, isRange: boolean) => {
    const next = new Set(chosen)
    const isOn = !next.has(nodeId)
    const [from, to] = [anchor.current, nodeId]
      .map((id) => rows.findIndex((row) => row.nodeId === id))
      .sort((a, b) => a - b)
    const range =
      isRange && from !== undefined && from >= 0 ? rows.slice(from, (to ?? from) + 1) : [{ nodeId }]
    for (const row of range) isOn ? next.add(row.nodeId) : next.delete(row.nodeId)
    anchor.current = nodeId
    setChoice({ query, nodeIds: next, isWhole })
  }
  const isAll = rows.every(({ nodeId }) => chosen.has(nodeId))

  return (
    <Page title="Events" full beside={<Total of={list.total} isEstimated={list.isEstimated} />}>
      <QueryBar search={search} />
      {!list.error && (
        <Histogram
          buckets={histogram.data?.eventStatistics.buckets ?? []}
          scale={scale}
          to={shown.to}
          onSelect={(from, to) =>
            void navigate({
              to: '/events',
              search: eventSearch({ ...search, last: undefined, from, to }),
            })
          }
        />
      )}
      {chosen.size > 0 && (
        <div className="row notice">
          {isAll && list.isMore && !isWhole ? (
            <ChooseAll
              query={query}
              loaded={rows.length}
              total={list.total === null ? null : total(list.total, list.isEstimated)}
              isTooMany={list.isEstimated || (list.total ?? 0) > MOST}
              onChoose={(nodeIds) =>
                setChoice((now) =>
                  now.query === query ? { query, nodeIds: new Set(nodeIds), isWhole: true } : now,
                )
              }
            />
          ) : (
            <span className="grow">{count(chosen.size)} selected</span>
          )}
          <StatusActions
            nodeIds={[...chosen]}
            onDone={(done) => {
              setChoice((before) => without(before, done))
              latest.current()
            }}
          />
        </div>
      )}
      <List
        label="Events"
        columns={columnsOf(chosen, toggle, {
          isAll,
          onAll: (all) =>
            setChoice(
              all
                ? {
                    query,
                    nodeIds: new Set([...chosen, ...rows.map(({ nodeId }) => nodeId)]),
                    isWhole,
                  }
                : NOTHING,
            ),
        })}
        list={list}
        sort={sort}
        onSort={(next) =>
          void navigate({
            to: '/events',
            search: eventSearch({ ...search, sort: next === NEWEST ? undefined : next }),
          })
        }
        scrolls
        rowHeight={52}
        nothing={<Nothing isFiltered={query !== null} />}
      />
    </Page>
  )
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** The bars for a range; beginnings are whole minutes, so that the same range is read once. */
function barsOf(search: EventSearch) {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const span = spanOf(search, now)
  const scale = scaleOf(hoursOf(span, now))
  const end = span.to === null ? now : Date.parse(span.to)
  const earliest = new Date(end - MAX_DAYS * 24 * HOUR_MS).toISOString()
  const from = span.from === null || span.from < earliest ? earliest : span.from
  return { scale, interval: intervalOf(scale), from, to: span.to }
}

function without(choice: Choice, nodeIds: readonly string[]): Choice {
  const rest = new Set(choice.nodeIds)
  for (const nodeId of nodeIds) rest.delete(nodeId)
  return rest.size > 0 ? { ...choice, nodeIds: rest } : NOTHING
}

/** Order of the list without another one: new events appear in it. */
const NEWEST = '-firstSeenAt'

const inputOf = (sort: string) => (sort === NEWEST ? null : (sortInput(sort)[0] ?? null))

/** Attributes that columns sort by, in their first direction. */
const BY = {
  severity: '-severity',
  title: 'title',
  status: 'status',
  seen: '-timesSeen',
  first: NEWEST,
  last: '-lastSeenAt',
} as const
const SORTED_BY = Object.values(BY).map((sortedBy) => ({ sortedBy }))

/** As lists of events are sorted. */
const isBefore = (row: EventRowFragment, other: EventRowFragment) =>
  row.firstSeenAt === other.firstSeenAt ? row.id > other.id : row.firstSeenAt > other.firstSeenAt

const columnsOf = (
  chosen: ReadonlySet<string>,
  toggle: (nodeId: string, isRange: boolean) => void,
  { isAll, onAll }: { isAll: boolean; onAll(all: boolean): void },
): readonly Column<EventRowFragment>[] => [
  {
    title: 'Select',
    permission: 'events:write',
    head: (
      <input
        type="checkbox"
        aria-label="Select all that are shown"
        checked={isAll}
        onChange={({ target }) => onAll(target.checked)}
      />
    ),
    width: '1.25rem',
    narrow: '1.25rem',
    cell: ({ nodeId, title }) => (
      <span className="above">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={chosen.has(nodeId)}
          onChange={({ nativeEvent }) =>
            toggle(nodeId, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </span>
    ),
  },
  {
    title: 'Severity',
    sortedBy: BY.severity,
    width: '6.5rem',
    narrow: '2rem',
    cell: ({ severity }) => <Severity severity={severity} />,
  },
  {
    title: 'Event',
    sortedBy: BY.title,
    width: 'minmax(12rem, 3fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, title, source, message, status, lastSeenAt }) => (
      <>
        <div className="cut" dir="auto">
          <Link to="/events/$id" params={{ id }} className="cover" title={title}>
            {title}
          </Link>
        </div>
        <div className="under cut">
          <span className="narrow">
            <StateBadge state={status} /> <Ago at={lastSeenAt} /> ·{' '}
          </span>
          {[source?.name ?? source?.ref, message].filter(Boolean).join(' · ') || '\u00a0'}
        </div>
      </>
    ),
  },
  {
    title: 'Status',
    sortedBy: BY.status,
    width: '9rem',
    cell: ({ status }) => <StateBadge state={status} />,
  },
  {
    title: 'Seen',
    sortedBy: BY.seen,
    width: '4.5rem',
    narrow: '2.5rem',
    end: true,
    cell: ({ timesSeen }) => <span className="number">{count(timesSeen)}</span>,
  },
  {
    title: 'First',
    sortedBy: BY.first,
    width: '6.5rem',
    end: true,
    cell: ({ firstSeenAt }) => <Ago at={firstSeenAt} />,
  },
  {
    title: 'Last',
    sortedBy: BY.last,
    width: '6.5rem',
    end: true,
    cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} />,
  },
]

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="No event matches">
      <p>Words are looked for in title and message; fields are written as status:OPEN.</p>
    </Empty>
  ) : (
    <Empty icon="bell" title="No event yet">
      <p>
        The end of an execution is an event. Other programs send theirs to the event interface; the
        API Explorer shows how.
      </p>
    </Empty>
  )

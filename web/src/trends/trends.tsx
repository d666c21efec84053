import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { tookMs } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { filterOf, stateOf } from '../executions/search.ts'
import {
  type ExecutionResultFilter,
  TrendContextDocument,
  TrendContextsDocument,
  TrendDocument,
  type TrendQuery,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Tile } from '../overview/tile.tsx'
import { duration, percent } from '../ui/format.ts'
import { Form } from '../ui/inputs.tsx'
import { Button, Card, Empty, Page } from '../ui/parts.tsx'
import { RangeSelect } from '../ui/range-select.tsx'
import { StateBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago, Took } from '../ui/time.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { Loading, Problem } from '../ui/waiting.tsx'
import { Flaky } from './flaky.tsx'
import { trendSearch } from './search.ts'

const Chart = lazy(() => import('./chart.tsx'))
const route = getRouteApi('/trends')
type Row = TrendQuery['executionResults']['nodes'][number]

/** The history of a scenario or suite: state, duration, coverage. */
export default function Trends() {
  const search = route.useSearch()
  const { context, label } = search
  const navigate = useNavigate()
  const [now] = useState(Date.now)
  const set = (change: Record<string, unknown>) =>
    void navigate({ to: '/trends', search: trendSearch({ ...search, ...change }) })
  const { startedFrom, startedBefore, labels } = filterOf(search, now)
  const filter = { startedFrom, startedBefore, labels }
  const { data } = useRead(TrendContextDocument, { id: context ?? '' }, !context)
  const known = data?.testCase ?? data?.suite
  return (
    <Page title="Trends" actions={context && known && <Run contextId={context} />}>
      <div className="row filters">
        <ContextField
          context={context}
          name={known?.name ?? context}
          onChoose={(id) => set({ context: id })}
        />
        <RangeSelect range={search} any="Any time" onChange={set} />
        <Form className="row" onSubmit={(form) => set(Object.fromEntries(form))}>
          <input
            key={label}
            className="input named"
            name="label"
            aria-label="Label, as branch=main"
            placeholder="Label, as branch=main"
            defaultValue={label}
          />
          <Button type="submit" icon="search">
            Search
          </Button>
        </Form>
      </div>
      {context ? (
        <Trend
          filter={{ ...filter, contextId: context }}
          isNarrowed={Object.keys(search).length > 1}
          isKnown={!data || Boolean(known)}
        />
      ) : (
        <Flaky filter={filter} />
      )}
    </Page>
  )
}

interface ContextFieldProps {
  context: string | undefined
  name: string | undefined
  onChoose(id: string | undefined): void
}

/** A scenario or suite, found by a part of its name. */
function ContextField({ context, name = '', onChoose }: ContextFieldProps) {
  const [written, setWritten] = useState<Written>({ of: [context], text: null })
  // A text says nothing of another one that a link has chosen.
  const text = written.of.includes(context) ? written.text : null
  const typed = text ?? name
  const part = useDebounced(typed.trim())
  const filter = part === '' ? null : { name: `*${part.replaceAll(/[\\*]/g, '\\$&')}*` }
  const { data } = useRead(TrendContextsDocument, { filter })
  const found = [...(data?.suites.nodes ?? []), ...(data?.testCases.nodes ?? [])]
  const exact = text === '' ? undefined : (found.find((each) => each.name === text)?.id ?? context)
  const choose = useEffectEvent(() => {
    setWritten({ of: [context, exact], text })
    if (exact !== context) onChoose(exact)
  })
  // Names may be found after the last letter, and the address changes after that.
  // biome-ignore lint/correctness/useExhaustiveDependencies: either one changes the choice
  useEffect(() => choose(), [exact, context])
  return (
    <label className="field named-field">
      Scenario or suite
      <input
        className="input"
        list="trend-contexts"
        data-search
        placeholder="A part of its name"
        value={typed}
        onChange={({ target }) => setWritten({ of: [context], text: target.value })}
      />
      <datalist id="trend-contexts">
        {found.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </label>
  )
}

interface Written {
  /** Contexts before and after the choice. */
  of: readonly (string | undefined)[]
  text: string | null
}

interface TrendProps {
  filter: ExecutionResultFilter
  /** True if there may be others of the same. */
  isNarrowed: boolean
  isKnown: boolean
}

function Trend({ filter, isNarrowed, isKnown }: TrendProps) {
  const { data, error, isLoading, reload } = useRead(TrendDocument, { filter })
  if (error) return <Problem message={error} retry={reload} />
  if (isLoading || !data) return <Loading />
  const results = data.executionResults.nodes
  const ended = results.filter(({ ended }) => ended !== null)
  if (ended.length === 0)
    return isKnown ? (
      <Empty
        icon={isNarrowed ? 'search' : 'play'}
        title={isNarrowed ? 'No execution matches' : 'It has not run yet'}
      />
    ) : (
      <Empty icon="search" title="There is no such scenario or suite" />
    )
  const passed = ended.filter(({ state }) => state === 'COMPLETED').length
  const times = ended.map(tookMs).sort((a, b) => a - b)
  return (
    <>
      <div className="tiles">
        <Tile
          name="Pass rate"
          value={percent(passed / ended.length)}
          note={`of ${ended.length} executions`}
        />
        <Tile name="Changes of state" value={changes(ended)} note={flakiness(ended)} />
        <Tile
          name="Median duration"
          value={duration(quantile(times, 0.5))}
          note={`95 % within ${duration(quantile(times, 0.95))}`}
        />
        <Tile
          name="Coverage"
          value={coverageOf(ended[0]) === null ? '–' : `${coverageOf(ended[0])} %`}
          note="of the latest"
        />
      </div>
      <Card title="Duration and coverage">
        <div className="body">
          <div className="plot">
            <Suspense fallback={<Loading lines={4} />}>
              <Chart
                points={ended.toReversed().map((each) => ({
                  at: each.started,
                  ms: tookMs(each),
                  coverage: coverageOf(each),
                  isBad: each.state === 'FAILED' || each.state === 'ERROR',
                }))}
              />
            </Suspense>
          </div>
        </div>
      </Card>
      <Table label="Executions" columns={columnsOf(results)} rows={results} />
    </>
  )
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const coverageOf = (row: Row | undefined): number | null =>
  row?.codeCoverage[0]?.coveragePercentage ?? null

const changes = (rows: readonly Row[]): number =>
  rows.filter(({ state }, index) => index > 0 && state !== rows[index - 1]?.state).length

const flakiness = (rows: readonly Row[]): string => {
  const share = rows.length < 2 ? 0 : changes(rows) / (rows.length - 1)
  return share > 0.3 ? 'flaky: its state changes often' : share > 0 ? 'mostly stable' : 'stable'
}

const columnsOf = (rows: readonly Row[]): readonly Column<Row>[] => [
  {
    title: 'State',
    width: '7rem',
    narrow: '2.5rem',
    cell: (row) => <StateBadge state={stateOf(row)} />,
  },
  {
    title: 'Message',
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ message }) => <div className="cut soft">{message}</div>,
  },
  {
    title: 'Started',
    width: '7rem',
    narrow: '5.5rem',
    cell: ({ id, started }) => (
      <Link to="/executions/$id" params={{ id }} className="cover">
        <Ago at={started} />
      </Link>
    ),
  },
  {
    title: 'Duration',
    width: '5rem',
    end: true,
    cell: (row) => <Took of={row} />,
  },
  {
    title: 'Compare',
    width: '6rem',
    narrow: '5rem',
    end: true,
    cell: ({ id }) => {
      const before = rows[rows.findIndex((each) => each.id === id) + 1]
      return before ? (
        <Link
          className="above"
          to="/executions/compare"
          search={{ a: before.id, b: id }}
          title="Compare with the one before"
        >
          Compare
        </Link>
      ) : null
    },
  },
]

import { getRouteApi, Link } from '@tanstack/react-router'
import { nameOf } from '../executions/search.ts'
import { treeOf } from '../executions/tree.ts'
import { ExecutionDetailDocument, type ExecutionDetailQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { duration } from '../ui/format.ts'
import { Crumb, Empty, Loading, Page, Problem } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'

const route = getRouteApi('/executions/compare')
type Detail = NonNullable<ExecutionDetailQuery['executionResult']>

/** What one step was in each execution. */
interface Pair {
  key: string
  name: string
  before: Side | undefined
  after: Side | undefined
}

interface Side {
  state: string
  durationMs: number | null
  message: string | null
}

/** Two executions, step by step. */
export default function Compare() {
  const { a, b } = route.useSearch()
  const before = useRead(ExecutionDetailDocument, { id: a ?? '' }, !a)
  const after = useRead(ExecutionDetailDocument, { id: b ?? '' }, !b)
  const error = before.error ?? after.error
  const first = before.data?.executionResult
  const second = after.data?.executionResult
  const crumbs = <Crumb to="/executions">Executions</Crumb>
  if (error)
    return (
      <Page title="Compare" crumbs={crumbs}>
        <Problem message={error} />
      </Page>
    )
  if (before.isLoading || after.isLoading)
    return (
      <Page title="Compare" crumbs={crumbs}>
        <Loading />
      </Page>
    )
  if (!first || !second)
    return (
      <Page title="Compare" crumbs={crumbs}>
        <Empty icon="trend" title="Two executions are needed">
          <p>
            Choose them in <Link to="/trends">Trends</Link>.
          </p>
        </Empty>
      </Page>
    )
  const pairs = pairsOf(first, second)
  const changed = pairs.filter((pair) => pair.before?.state !== pair.after?.state).length
  return (
    <Page
      title={`Compare ${nameOf(second)}`}
      crumbs={crumbs}
      beside={
        <span className="faint">
          {changed === 0
            ? 'no step ended otherwise'
            : `${changed} of ${pairs.length} steps ended otherwise`}
        </span>
      }
    >
      <div className="two">
        <Head title="Before" of={first} />
        <Head title="After" of={second} />
      </div>
      <Table label="Steps" columns={COLUMNS} rows={pairs} keyOf={({ key }) => key} />
    </Page>
  )
}

const Head = ({ title, of: { id, state, started, message } }: { title: string; of: Detail }) => (
  <div className="tile stack tight">
    <h2 className="soft">{title}</h2>
    <div className="row">
      <StateBadge state={state} />
      <Link to="/executions/$id" params={{ id }}>
        <Ago at={started} />
      </Link>
    </div>
    <p className="under">{message || '\u00a0'}</p>
  </div>
)

/** Steps are the same where scenario and path are. */
function pairsOf(first: Detail, second: Detail): Pair[] {
  const sides = [first, second].map(
    (detail) =>
      new Map(
        treeOf({
          root: { ...detail, log: [] },
          scenarios: detail.testCaseResults.map((each) => ({ ...each, log: [] })),
        }).map(({ scenario, step, name, state, durationMs }) => [
          `${scenario.contextId} ${step ? (step.path ?? step.id) : ''}`,
          { name, state, durationMs, message: step ? step.message : scenario.message },
        ]),
      ),
  )
  const [before, after] = sides
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  return [...keys].map((key) => ({
    key,
    name: after?.get(key)?.name ?? before?.get(key)?.name ?? key,
    before: before?.get(key),
    after: after?.get(key),
  }))
}

const cellOf = (side: Side | undefined) =>
  side ? <StateBadge state={side.state} /> : <span className="faint">not there</span>

const difference = ({ before, after }: Pair): string => {
  if (before?.durationMs == null || after?.durationMs == null) return ''
  const ms = after.durationMs - before.durationMs
  return `${ms < 0 ? '−' : '+'}${duration(Math.abs(ms))}`
}

const COLUMNS: readonly Column<Pair>[] = [
  {
    title: 'Step',
    width: 'minmax(10rem, 2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ name, before, after }) => (
      <>
        <div className="cut">{name}</div>
        <div className="under cut">{after?.message ?? before?.message ?? '\u00a0'}</div>
      </>
    ),
  },
  { title: 'Before', width: '8rem', narrow: '6.5rem', cell: ({ before }) => cellOf(before) },
  { title: 'After', width: '8rem', narrow: '6.5rem', cell: ({ after }) => cellOf(after) },
  {
    title: 'Duration',
    width: '7rem',
    end: true,
    cell: (pair) => <span className="number">{difference(pair)}</span>,
  },
]

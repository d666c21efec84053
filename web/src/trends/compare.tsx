import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { stateOf } from '../executions/search.ts'
import {
  ComparableDocument,
  ComparedWithDocument,
  ExecutionDetailDocument,
  type ExecutionDetailQuery,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { duration, exactTime, plural } from '../ui/format.ts'
import { Check, Select } from '../ui/inputs.tsx'
import { Empty, Page } from '../ui/parts.tsx'
import { lookOf, StateBadge } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'
import { isChanged, type Pair, pairsOf, type Side } from './pairs.ts'
import { compareSearch } from './search.ts'

const route = getRouteApi('/executions/compare')
type Detail = NonNullable<ExecutionDetailQuery['executionResult']>

/** Two executions, step by step. */
export default function Compare() {
  const { a, b, all = false } = route.useSearch()
  const found = useRead(ComparedWithDocument, { after: b ?? '' }, a !== undefined || !b)
  const earlier = a ?? found.data?.compareExecutions.before?.id
  const before = useRead(ExecutionDetailDocument, { id: earlier ?? '' }, !earlier)
  const after = useRead(ExecutionDetailDocument, { id: b ?? '' }, !b)
  const error = found.error ?? before.error ?? after.error
  const first = before.data?.executionResult
  const second = after.data?.executionResult
  const retry = () => {
    for (const each of [found, before, after]) if (each.error) each.reload()
  }
  const crumbs = <Link to="/executions">Executions</Link>
  if (error || found.isLoading || before.isLoading || after.isLoading)
    return (
      <Page title="Compare" crumbs={crumbs}>
        {error ? <Problem message={error} retry={retry} /> : <Loading />}
      </Page>
    )
  if (!first || !second)
    return (
      <Page title="Compare" crumbs={crumbs}>
        {second ? (
          <Empty icon="trend" title="There is no execution before">
            <p>
              <Link to="/executions/$id" params={{ id: second.id }}>
                Back to the execution
              </Link>
            </p>
          </Empty>
        ) : (
          <Empty icon="trend" title="Two executions are needed">
            <p>
              Select them in <Link to="/trends">Trends</Link>.
            </p>
          </Empty>
        )}
      </Page>
    )
  return <Compared first={first} second={second} all={all} crumbs={crumbs} />
}

interface ComparedProps {
  first: Detail
  second: Detail
  all: boolean
  crumbs: React.ReactNode
}

function Compared({ first, second, all, crumbs }: ComparedProps) {
  const navigate = useNavigate()
  const pairs = pairsOf(first, second)
  const changed = pairs.filter(isChanged)
  const shown = all || changed.length === 0 ? pairs : changed
  return (
    <Page
      title={`Compare ${second.contextName}`}
      crumbs={crumbs}
      beside={
        <span className="faint">
          {changed.length === 0
            ? 'no step changed its result'
            : `${changed.length} of ${plural(pairs.length, 'step')} changed result`}
        </span>
      }
    >
      <div className="two">
        <Head title="Before" of={first}>
          <Baseline first={first} second={second} all={all} />
        </Head>
        <Head title="After" of={second} />
      </div>
      {changed.length > 0 && changed.length < pairs.length && (
        <Check
          className="chip fit"
          label="Show unchanged"
          isOn={all}
          onChange={(isOn) =>
            void navigate({
              to: '/executions/compare',
              search: compareSearch({ a: first.id, b: second.id, all: isOn }),
              replace: true,
            })
          }
        />
      )}
      <Table label="Steps" columns={COLUMNS} rows={shown} />
    </Page>
  )
}

interface HeadProps {
  title: string
  of: Detail
  children?: React.ReactNode
}

const Head = ({ title, of, children }: HeadProps) => (
  <div className="tile stack tight">
    <div className="row">
      <h2 className="soft grow">{title}</h2>
      {children}
    </div>
    <div className="row">
      <StateBadge state={stateOf(of)} />
      <Link to="/executions/$id" params={{ id: of.id }}>
        <Ago at={of.started} />
      </Link>
    </div>
    <p className="under">{of.message || '\u00a0'}</p>
  </div>
)

/** Build and branch say more than the time, where they are known. */
const namesOf = ({ labels }: Pick<Detail, 'labels'>): string[] =>
  ['build', 'branch'].flatMap((wanted) =>
    labels.flatMap(({ name, value }) => (name === wanted ? [`${name} ${value}`] : [])),
  )

/** Chooses which of the last executions the other one is compared with. */
function Baseline({ first, second, all }: Pick<ComparedProps, 'first' | 'second' | 'all'>) {
  const navigate = useNavigate()
  const { data } = useRead(ComparableDocument, { context: second.contextId })
  const last = data?.executionResults.nodes ?? []
  const choices = last.some(({ id }) => id === first.id) ? last : [...last, first]
  return (
    <Select
      label="Compare with"
      value={first.id}
      options={choices
        .filter(({ id }) => id !== second.id)
        .map((each) => ({
          name: each.id,
          title: [...namesOf(each), exactTime(each.started), lookOf(stateOf(each)).word].join(', '),
        }))}
      onChange={(a) =>
        void navigate({
          to: '/executions/compare',
          search: compareSearch({ a, b: second.id, all }),
        })
      }
    />
  )
}

const cellOf = (side: Side | undefined) =>
  side ? <StateBadge state={side.state} /> : <span className="faint">not there</span>

const difference = ({ before, after }: Pair): string => {
  if (before?.durationMs == null || after?.durationMs == null) return ''
  const ms = after.durationMs - before.durationMs
  return `${ms < 0 ? '−' : '+'}${duration(Math.abs(ms))}`
}

/** Why it ended so; said once where both say the same. */
const Message = ({
  word,
  of,
  other,
}: {
  word: string
  of: Side | undefined
  other: Side | undefined
}) =>
  of?.message && (word === 'After' || of.message !== other?.message) ? (
    <div className="under">
      {of.message === other?.message ? of.message : `${word}: ${of.message}`}
    </div>
  ) : null

const COLUMNS: readonly Column<Pair>[] = [
  {
    title: 'Step',
    width: 'minmax(10rem, 2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ name, before, after }) => (
      <>
        <div>{name}</div>
        <Message word="Before" of={before} other={after} />
        <Message word="After" of={after} other={before} />
      </>
    ),
  },
  { title: 'Before', width: '8rem', narrow: '3rem', cell: ({ before }) => cellOf(before) },
  { title: 'After', width: '8rem', narrow: '3rem', cell: ({ after }) => cellOf(after) },
  {
    title: 'Duration',
    width: '7rem',
    end: true,
    cell: (pair) => <span className="number">{difference(pair)}</span>,
  },
]

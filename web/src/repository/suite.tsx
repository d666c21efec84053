import { getRouteApi, Link } from '@tanstack/react-router'
import { History } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { SuiteDetailDocument, type SuiteDetailQuery } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Crumb, Empty, Fact, Page } from '../ui/parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'
import { lastRun } from './cells.tsx'

const route = getRouteApi('/repository/suites/$id')
type Row = NonNullable<SuiteDetailQuery['suite']>['testCases'][number]

/** A suite: its scenarios in the order to run them, and how it went. */
export default function SuitePage() {
  const { id } = route.useParams()
  const { data, error, isLoading, reload } = useRead(SuiteDetailDocument, { id })
  const crumbs = <Crumb to="/repository/suites">Suites</Crumb>
  if (error)
    return (
      <Page title="Suite" crumbs={crumbs}>
        <Problem message={error} retry={reload} />
      </Page>
    )
  if (isLoading)
    return (
      <Page title="Suite" crumbs={crumbs}>
        <Loading />
      </Page>
    )
  const suite = data?.suite
  if (!suite)
    return (
      <Page title="Suite" crumbs={crumbs}>
        <Empty icon="layers" title="There is no such suite" />
      </Page>
    )
  return (
    <Page title={suite.name} crumbs={crumbs} actions={<Run contextId={id} look="primary" />}>
      {suite.description && <p className="soft">{suite.description}</p>}
      <dl className="facts wide">
        <Fact name="At a time">{suite.maxParallel}</Fact>
        <Fact name="After a failure">{suite.haltAtFailure ? 'stops' : 'goes on'}</Fact>
        <Fact name="Revision">{suite.revision}</Fact>
        <Fact name="Changed">
          <Ago at={suite.updated} />
        </Fact>
      </dl>
      <div className="two">
        <div className="stack">
          <h2>Scenarios</h2>
          <Table
            label="Scenarios"
            columns={COLUMNS}
            rows={suite.testCases}
            keyOf={(row) => row.id}
          />
        </div>
        <History results={suite.results.nodes} contextId={id} />
      </div>
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, name }) => (
      <div className="cut">
        <Link to="/repository/scenarios/$id" params={{ id }} className="cover" title={name}>
          {name}
        </Link>
      </div>
    ),
  },
  lastRun(),
]

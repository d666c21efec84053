import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../app/account.tsx'
import { History } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { RunWith } from '../executions/run-with.tsx'
import { DeleteSuiteDocument, SuiteDetailDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Fact, Page } from '../ui/parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading } from '../ui/waiting.tsx'
import { lastRun } from './cells.tsx'
import { DeleteButton } from './delete-button.tsx'
import { crumbOf, KINDS, Reading } from './reading.tsx'
import { draftOfSuite, inputOfSuite, type Suite } from './suite-draft.ts'

const Revisions = lazy(() => import('./revisions.tsx'))
const route = getRouteApi('/repository/suites/$id')
type Row = Suite['testCases'][number]

/** A suite: its scenarios in the order to run them, and how it went. */
export default function SuitePage() {
  const { id } = route.useParams()
  const reading = useRead(SuiteDetailDocument, { id })
  return (
    <Reading kind={KINDS.suite} reading={reading} found={reading.data?.artifact}>
      {(suite) => <Shown suite={suite} />}
    </Reading>
  )
}

function Shown({ suite }: { suite: Suite }) {
  const { id, name, description, setup, teardown, environments, revision, updated } = suite
  const mayWrite = useMay('artifacts:write')
  const navigate = useNavigate()
  const { name: _, description: __, ...attributes } = inputOfSuite(draftOfSuite(suite))
  return (
    <Page
      title={name}
      crumbs={crumbOf(KINDS.suite)}
      actions={
        <>
          {mayWrite && (
            <>
              <DeleteButton
                document={DeleteSuiteDocument}
                artifact={suite}
                onDeleted={() => navigate({ to: '/repository/suites' })}
              />
              <Link className="button" to="/repository/suites/$id/edit" params={{ id }}>
                Edit
              </Link>
            </>
          )}
          <RunWith contextId={id} isSuite />
          <Run contextId={id} look="primary" />
        </>
      }
    >
      {description && <p className="soft">{description}</p>}
      <dl className="facts wide">
        <Fact name="At a time">{suite.maxParallel}</Fact>
        <Fact name="After a failure">{suite.haltAtFailure ? 'stops' : 'goes on'}</Fact>
        {setup && (
          <Fact name="Setup">
            <Link to="/repository/scenarios/$id" params={{ id: setup.id }}>
              {setup.name}
            </Link>
          </Fact>
        )}
        {teardown && (
          <Fact name="Teardown">
            <Link to="/repository/scenarios/$id" params={{ id: teardown.id }}>
              {teardown.name}
            </Link>
          </Fact>
        )}
        {environments.map((environment) => (
          <Fact key={environment.id} name="Environment">
            <Link to="/repository/environments/$id" params={{ id: environment.id }}>
              {environment.name}
            </Link>
          </Fact>
        ))}
        <Fact name="Revision">{revision}</Fact>
        <Fact name="Changed">
          <Ago at={updated} />
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
      {suite.revisions.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Revisions
            id={id}
            current={{ ...suite, attributes }}
            earlier={suite.revisions}
            editor="/repository/suites/$id/edit"
            mayWrite={mayWrite}
          />
        </Suspense>
      )}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    width: 'minmax(8rem, 1fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ id, name, quarantine, tags }) => (
      <>
        <div className="cut">
          <Link to="/repository/scenarios/$id" params={{ id }} className="cover" title={name}>
            {name}
          </Link>
        </div>
        <div className="under cut">
          {[...(quarantine ? ['Quarantine'] : []), ...tags].join(' · ')}
        </div>
      </>
    ),
  },
  lastRun(),
]

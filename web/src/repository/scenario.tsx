import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../app/account.tsx'
import { History } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { RunWith } from '../executions/run-with.tsx'
import { DeleteScenarioDocument, ScenarioDetailDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Card, Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DeleteButton } from './delete-button.tsx'
import { crumbOf, KINDS, Reading } from './reading.tsx'
import { attributesOf, type TestCase } from './scenario-draft.ts'

const YamlView = lazy(() => import('../editor/yaml-view.tsx'))
const Revisions = lazy(() => import('./revisions.tsx'))
const route = getRouteApi('/repository/scenarios/$id')

/** A scenario: what it does, and how it went. */
export default function ScenarioPage() {
  const { id } = route.useParams()
  const reading = useRead(ScenarioDetailDocument, { id })
  return (
    <Reading kind={KINDS.scenario} reading={reading} found={reading.data?.artifact}>
      {(testCase) => <Shown testCase={testCase} />}
    </Reading>
  )
}

function Shown({ testCase }: { testCase: TestCase }) {
  const { id } = testCase
  const navigate = useNavigate()
  const mayWrite = useMay('artifacts:write')
  return (
    <Page
      title={testCase.name}
      crumbs={crumbOf(KINDS.scenario)}
      actions={
        <>
          {mayWrite && (
            <>
              <DeleteButton
                document={DeleteScenarioDocument}
                artifact={testCase}
                onDeleted={() => navigate({ to: '/repository/scenarios' })}
              />
              <Link className="button" to="/repository/scenarios/$id/edit" params={{ id }}>
                Edit
              </Link>
            </>
          )}
          <RunWith contextId={id} isSuite={false} />
          <Run contextId={id} look="primary" />
        </>
      }
    >
      {testCase.description && <p className="soft">{testCase.description}</p>}
      <dl className="facts wide">
        {testCase.componentUnderTest && (
          <Fact name="Tests">
            <Link to="/repository/components/$id" params={{ id: testCase.componentUnderTest.id }}>
              {testCase.componentUnderTest.name}
            </Link>
          </Fact>
        )}
        {testCase.environment && (
          <Fact name="Environment">
            <Link to="/repository/environments/$id" params={{ id: testCase.environment.id }}>
              {testCase.environment.name}
            </Link>
          </Fact>
        )}
        <Fact name="Revision">{testCase.revision}</Fact>
        <Fact name="Changed">
          <Ago at={testCase.updated} />
        </Fact>
        {testCase.suites.nodes.map((suite) => (
          <Fact key={suite.id} name="Suite">
            <Link to="/repository/suites/$id" params={{ id: suite.id }}>
              {suite.name}
            </Link>
          </Fact>
        ))}
        {testCase.retries > 0 && <Fact name="Retries">{testCase.retries}</Fact>}
        {testCase.quarantine && <Fact name="Quarantine">it makes no suite fail</Fact>}
        {testCase.needs.map((needed) => (
          <Fact key={needed.id} name="Needs">
            <Link to="/repository/scenarios/$id" params={{ id: needed.id }}>
              {needed.name}
            </Link>
          </Fact>
        ))}
        {testCase.tags.length > 0 && (
          <Fact name="Tags">
            {testCase.tags.map((tag) => (
              <Link key={tag} className="tag" to="/repository/scenarios" search={{ tag }}>
                {tag}
              </Link>
            ))}
          </Fact>
        )}
      </dl>
      <div className="two">
        <Card title="Scenario">
          <Suspense
            fallback={
              <div className="body">
                <Loading />
              </div>
            }
          >
            <YamlView value={testCase.scenario} />
          </Suspense>
        </Card>
        <History results={testCase.results.nodes} contextId={id} />
      </div>
      {testCase.revisions.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Revisions
            id={id}
            current={{ ...testCase, attributes: attributesOf(testCase) }}
            earlier={testCase.revisions}
            editor="/repository/scenarios/$id/edit"
            mayWrite={mayWrite}
          />
        </Suspense>
      )}
    </Page>
  )
}

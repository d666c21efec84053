import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../app/account.tsx'
import { History } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { change } from '../graph/client.ts'
import { DeleteScenarioDocument, ScenarioDetailDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Button, Card, Crumb, Empty, Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

const YamlView = lazy(() => import('../editor/yaml-view.tsx'))
const route = getRouteApi('/repository/scenarios/$id')

/** A scenario: what it does, and how it went. */
export default function ScenarioPage() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const mayWrite = useMay('artifacts:write')
  const { data, error, isLoading, reload } = useRead(ScenarioDetailDocument, { id })
  const crumbs = <Crumb to="/repository/scenarios">Scenarios</Crumb>
  if (error)
    return (
      <Page title="Scenario" crumbs={crumbs}>
        <Problem message={error} retry={reload} />
      </Page>
    )
  if (isLoading)
    return (
      <Page title="Scenario" crumbs={crumbs}>
        <Loading />
      </Page>
    )
  const testCase = data?.testCase
  if (!testCase)
    return (
      <Page title="Scenario" crumbs={crumbs}>
        <Empty icon="list" title="There is no such scenario" />
      </Page>
    )

  const remove = () =>
    attempt(async () => {
      if (!confirm(`Delete the scenario ${testCase.name}?`)) return undefined
      await change(DeleteScenarioDocument, { id })
      await navigate({ to: '/repository/scenarios' })
      return 'The scenario was deleted'
    })
  return (
    <Page
      title={testCase.name}
      crumbs={crumbs}
      actions={
        <>
          {mayWrite && (
            <Button look="plain" onClick={remove}>
              Delete
            </Button>
          )}
          <Link className="button" to="/repository/scenarios/$id/edit" params={{ id }}>
            Edit
          </Link>
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
        {testCase.tags.length > 0 && (
          <Fact name="Tags">
            {testCase.tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
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
    </Page>
  )
}

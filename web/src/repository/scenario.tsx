import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { History } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { RunWith } from '../executions/run-with.tsx'
import { DeleteScenarioDocument, ScenarioDetailDocument } from '../graph/generated.ts'
import { Card, Fact } from '../ui/parts.tsx'
import { Loading } from '../ui/waiting.tsx'
import { ArtifactFact, ArtifactPage, RevisionFacts } from './artifact-page.tsx'
import { KINDS, StoredArtifact } from './reading.tsx'
import { attributesOf, type TestCase } from './scenario-draft.ts'

const YamlView = lazy(() => import('../editor/yaml-view.tsx'))

/** A scenario: what it does, and how it went. */
export default function ScenarioPage() {
  return (
    <StoredArtifact kind={KINDS.scenario} document={ScenarioDetailDocument}>
      {(testCase) => <Shown testCase={testCase} />}
    </StoredArtifact>
  )
}

const Shown = ({ testCase }: { testCase: TestCase }) => (
  <ArtifactPage
    kind={KINDS.scenario}
    artifact={testCase}
    attributes={attributesOf(testCase)}
    remove={DeleteScenarioDocument}
    actions={
      <>
        <RunWith contextId={testCase.id} isSuite={false} />
        <Run contextId={testCase.id} look="primary" />
      </>
    }
    facts={<Facts testCase={testCase} />}
  >
    <div className="two">
      <Card title="Scenario">
        <Suspense fallback={<Loading inCard />}>
          <YamlView value={testCase.scenario} text={testCase.scenarioText} />
        </Suspense>
      </Card>
      <History results={testCase.results.nodes} contextId={testCase.id} />
    </div>
  </ArtifactPage>
)

const Facts = ({ testCase }: { testCase: TestCase }) => (
  <>
    <ArtifactFact name="Tests" kind={KINDS.component} of={testCase.componentUnderTest} />
    <ArtifactFact name="Environment" kind={KINDS.environment} of={testCase.environment} />
    <RevisionFacts {...testCase} />
    {testCase.suites.nodes.map((suite) => (
      <ArtifactFact key={suite.id} name="Suite" kind={KINDS.suite} of={suite} />
    ))}
    {testCase.retries > 0 && <Fact name="Retries">{testCase.retries}</Fact>}
    {testCase.quarantine && <Fact name="Quarantine">it makes no suite fail</Fact>}
    {testCase.needs.map((needed) => (
      <ArtifactFact key={needed.id} name="Needs" kind={KINDS.scenario} of={needed} />
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
  </>
)

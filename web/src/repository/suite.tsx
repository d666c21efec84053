import { Link } from '@tanstack/react-router'
import { Covered } from '../executions/covered.tsx'
import { History } from '../executions/history.tsx'
import { Run } from '../executions/run.tsx'
import { RunWith } from '../executions/run-with.tsx'
import { DeleteSuiteDocument, SuiteDetailDocument } from '../graph/generated.ts'
import { Fact } from '../ui/parts.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { ArtifactFact, ArtifactPage, RevisionFacts } from './artifact-page.tsx'
import { lastRun } from './cells.tsx'
import { KINDS, StoredArtifact } from './reading.tsx'
import { draftOfSuite, inputOfSuite, type Suite } from './suite-draft.ts'

type Row = Suite['testCases'][number]

/** A suite: its scenarios in the order to run them, and how it went. */
export default function SuitePage() {
  return (
    <StoredArtifact kind={KINDS.suite} document={SuiteDetailDocument}>
      {(suite) => <Shown suite={suite} />}
    </StoredArtifact>
  )
}

function Shown({ suite }: { suite: Suite }) {
  const { id, setup, teardown, environments } = suite
  const { name: _, description: __, ...attributes } = inputOfSuite(draftOfSuite(suite))
  return (
    <ArtifactPage
      kind={KINDS.suite}
      artifact={suite}
      attributes={attributes}
      remove={DeleteSuiteDocument}
      actions={
        <>
          <RunWith contextId={id} isSuite />
          <Run contextId={id} look="primary" />
        </>
      }
      facts={
        <>
          <Fact name="Parallel">{suite.maxParallel}</Fact>
          <Fact name="After a failure">{suite.haltAtFailure ? 'stops' : 'goes on'}</Fact>
          <ArtifactFact name="Setup" kind={KINDS.scenario} of={setup} />
          <ArtifactFact name="Teardown" kind={KINDS.scenario} of={teardown} />
          {environments.map((each) => (
            <ArtifactFact key={each.id} name="Environment" kind={KINDS.environment} of={each} />
          ))}
          {suite.last.nodes.some(({ codeCoverage }) => codeCoverage.length > 0) && (
            <Fact name="Coverage">
              <span className="row tight">
                <Covered result={suite.last.nodes[0]} />
              </span>
            </Fact>
          )}
          <RevisionFacts {...suite} />
        </>
      }
    >
      <div className="two">
        <div className="stack">
          <h2>Scenarios</h2>
          <Table label="Scenarios" columns={COLUMNS} rows={suite.testCases} />
        </div>
        <History results={suite.results.nodes} contextId={id} />
      </div>
    </ArtifactPage>
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

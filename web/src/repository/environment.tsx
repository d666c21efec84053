import { DeleteEnvironmentDocument, EnvironmentDetailDocument } from '../graph/generated.ts'
import { shown } from '../ui/format.ts'
import { Card, Fact } from '../ui/parts.tsx'
import { ArtifactPage, RevisionFacts } from './artifact-page.tsx'
import type { Environment } from './environment-draft.ts'
import { KINDS, StoredArtifact } from './reading.tsx'

/** An environment; of its secrets only the names are ever shown. */
export default function EnvironmentPage() {
  return (
    <StoredArtifact kind={KINDS.environment} document={EnvironmentDetailDocument}>
      {(environment) => <Shown environment={environment} />}
    </StoredArtifact>
  )
}

function Shown({ environment }: { environment: Environment }) {
  const { baseUrl, variables, allowedHosts, runners, secrets } = environment
  return (
    <ArtifactPage
      kind={KINDS.environment}
      artifact={environment}
      attributes={{ baseUrl, variables, allowedHosts, runners, secrets }}
      remove={DeleteEnvironmentDocument}
      facts={
        <>
          <Fact name="Base URL">
            <span className="mono">{baseUrl ?? 'none'}</span>
          </Fact>
          <RevisionFacts {...environment} />
        </>
      }
    >
      <div className="two">
        <Names
          title="Variables"
          names={Object.entries(variables).map(([key, value]) => `${key} = ${shown(value)}`)}
        />
        <Names title="Secrets" names={secrets.map(({ name }) => name)} />
        <Names title="Hosts that components may reach" names={allowedHosts} />
        <Names title="Runners" names={runners} />
      </div>
    </ArtifactPage>
  )
}

const Names = ({ title, names }: { title: string; names: readonly string[] }) => (
  <Card title={title}>
    <ul className="stack body tight mono">
      {names.length === 0 ? (
        <li className="faint">None</li>
      ) : (
        names.map((name) => <li key={name}>{name}</li>)
      )}
    </ul>
  </Card>
)

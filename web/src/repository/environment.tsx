import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../app/account.tsx'
import { DeleteEnvironmentDocument, EnvironmentDetailDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { shown } from '../ui/format.ts'
import { Card, Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading } from '../ui/waiting.tsx'
import { DeleteButton } from './delete-button.tsx'
import type { Environment } from './environment-draft.ts'
import { crumbOf, KINDS, Reading } from './reading.tsx'

const Revisions = lazy(() => import('./revisions.tsx'))
const route = getRouteApi('/repository/environments/$id')

/** An environment; of its secrets only the names are ever shown. */
export default function EnvironmentPage() {
  const { id } = route.useParams()
  const reading = useRead(EnvironmentDetailDocument, { id })
  return (
    <Reading kind={KINDS.environment} reading={reading} found={reading.data?.artifact}>
      {(environment) => <Shown environment={environment} />}
    </Reading>
  )
}

function Shown({ environment }: { environment: Environment }) {
  const { id, name, description, baseUrl, variables, allowedHosts, runners, secrets } = environment
  const mayWrite = useMay('artifacts:write')
  const navigate = useNavigate()
  return (
    <Page
      title={name}
      crumbs={crumbOf(KINDS.environment)}
      actions={
        mayWrite && (
          <>
            <DeleteButton
              document={DeleteEnvironmentDocument}
              artifact={environment}
              onDeleted={() => navigate({ to: '/repository/environments' })}
            />
            <Link className="button" to="/repository/environments/$id/edit" params={{ id }}>
              Edit
            </Link>
          </>
        )
      }
    >
      {description && <p className="soft">{description}</p>}
      <dl className="facts wide">
        <Fact name="Base address">
          <span className="mono">{baseUrl ?? 'none'}</span>
        </Fact>
        <Fact name="Revision">{environment.revision}</Fact>
        <Fact name="Changed">
          <Ago at={environment.updated} />
        </Fact>
      </dl>
      <div className="two">
        <Names
          title="Variables"
          names={Object.entries(variables).map(([key, value]) => `${key} = ${shown(value)}`)}
        />
        <Names title="Secrets" names={secrets.map((secret) => secret.name)} />
        <Names title="Hosts that components may reach" names={allowedHosts} />
        <Names title="Runners" names={runners} />
      </div>
      {environment.revisions.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Revisions
            id={id}
            current={{
              ...environment,
              attributes: { baseUrl, variables, allowedHosts, runners, secrets },
            }}
            earlier={environment.revisions}
            editor="/repository/environments/$id/edit"
            mayWrite={mayWrite}
          />
        </Suspense>
      )}
    </Page>
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

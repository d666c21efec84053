import { getRouteApi } from '@tanstack/react-router'
import { EnvironmentDetailDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { shown } from '../ui/format.ts'
import { Card, Crumb, Empty, Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

const route = getRouteApi('/repository/environments/$id')

/** An environment; of its secrets only the names are ever shown. */
export default function EnvironmentPage() {
  const { id } = route.useParams()
  const { data, error, isLoading, reload } = useRead(EnvironmentDetailDocument, { id })
  const crumbs = <Crumb to="/repository/environments">Environments</Crumb>
  if (error)
    return (
      <Page title="Environment" crumbs={crumbs}>
        <Problem message={error} retry={reload} />
      </Page>
    )
  if (isLoading)
    return (
      <Page title="Environment" crumbs={crumbs}>
        <Loading />
      </Page>
    )
  const environment = data?.environment
  if (!environment)
    return (
      <Page title="Environment" crumbs={crumbs}>
        <Empty icon="globe" title="There is no such environment" />
      </Page>
    )
  const {
    name,
    description,
    baseUrl,
    variables,
    allowedHosts,
    runners,
    secrets,
    revision,
    updated,
  } = environment
  return (
    <Page title={name} crumbs={crumbs}>
      {description && <p className="soft">{description}</p>}
      <dl className="facts wide">
        <Fact name="Base address">
          <span className="mono">{baseUrl ?? 'none'}</span>
        </Fact>
        <Fact name="Revision">{revision}</Fact>
        <Fact name="Changed">
          <Ago at={updated} />
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

import { SETTINGS } from '../graph/settings.ts'
import { Card, Page } from '../ui/parts.tsx'

/** Name and version, with links to read on. */
export default function About() {
  return (
    <Page title="About">
      <Card title="Assay">
        <dl className="facts body">
          <dt>Version</dt>
          <dd className="mono">{SETTINGS.version}</dd>
          <dt>Sign-in</dt>
          <dd className="mono">AUTH_MODE={SETTINGS.authMode}</dd>
          <dt>REST</dt>
          <dd className="mono">
            {location.origin}
            {SETTINGS.apiRoot}
          </dd>
          <dt>GraphQL</dt>
          <dd className="mono">{location.origin}/graphql</dd>
        </dl>
      </Card>
      <Card title="For programs">
        <ul className="stack body prose">
          <li>
            <a href={`${SETTINGS.apiRoot}/swagger-ui.html`}>API Explorer</a>: every REST operation,
            to read and to try
          </li>
          <li>
            <a href="/graphql">GraphiQL</a>: the graph, with examples
          </li>
          <li>
            <a href={`${SETTINGS.apiRoot}/v3/api-docs`}>OpenAPI 3.1</a> and{' '}
            <a href={`${SETTINGS.apiRoot}/v2/api-docs`}>Swagger 2.0</a>
          </li>
          <li>
            <a href={`${SETTINGS.apiRoot}/scenario.schema.json`}>JSON Schema of artifact files</a>,
            for editors
          </li>
        </ul>
      </Card>
    </Page>
  )
}

import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '../app/account.tsx'
import { SaveBar } from '../editor/save-bar.tsx'
import { Run } from '../executions/run.tsx'
import { change } from '../graph/client.ts'
import {
  ComponentDetailDocument,
  type ComponentDetailQuery,
  UpdateComponentDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Card, Crumb, Empty, Fact, Page } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'

const Editor = lazy(() => import('../editor/editor.tsx'))
const Revisions = lazy(() => import('./revisions.tsx'))
const route = getRouteApi('/repository/components/$id')
type Component = NonNullable<ComponentDetailQuery['component']>

export default function ComponentPage() {
  const { id } = route.useParams()
  const { data, error, isLoading, reload } = useRead(ComponentDetailDocument, { id })
  const crumbs = <Crumb to="/repository/components">Components</Crumb>
  if (error)
    return (
      <Page title="Component" crumbs={crumbs}>
        <Problem message={error} retry={reload} />
      </Page>
    )
  if (isLoading)
    return (
      <Page title="Component" crumbs={crumbs}>
        <Loading />
      </Page>
    )
  if (!data?.component)
    return (
      <Page title="Component" crumbs={crumbs}>
        <Empty icon="box" title="There is no such component" />
      </Page>
    )
  return <Source component={data.component} onSaved={reload} />
}

/** Code under test, to read and to change, with the scenarios that test it. */
function Source({ component, onSaved }: { component: Component; onSaved(): void }) {
  const { id, name, description, language, sourceCode, revision, updated, environment, testCases } =
    component
  const [first, setFirst] = useState(sourceCode)
  const [text, setText] = useState(sourceCode)
  const [isBusy, setBusy] = useState(false)
  const mayWrite = useMay('artifacts:write')
  const save = () =>
    attempt(async () => {
      setBusy(true)
      try {
        const input = {
          id,
          name,
          description,
          language,
          environment: environment?.id,
          sourceCode: text,
          revision: [revision],
        }
        await change(UpdateComponentDocument, { input })
        onSaved()
        return 'The component was saved'
      } finally {
        setBusy(false)
      }
    })
  return (
    <Page
      title={name}
      crumbs={<Crumb to="/repository/components">Components</Crumb>}
      actions={
        mayWrite && <SaveBar isChanged={text !== sourceCode} isBusy={isBusy} onSave={save} />
      }
    >
      {description && <p className="soft">{description}</p>}
      <dl className="facts wide">
        <Fact name="Language">{language === 'TYPESCRIPT' ? 'TypeScript' : 'JavaScript'}</Fact>
        <Fact name="Revision">{revision}</Fact>
        <Fact name="Changed">
          <Ago at={updated} />
        </Fact>
        {environment && (
          <Fact name="Environment">
            <Link to="/repository/environments/$id" params={{ id: environment.id }}>
              {environment.name}
            </Link>
          </Fact>
        )}
      </dl>
      <div className="split wide-first">
        <Suspense fallback={<Loading lines={10} />}>
          <Editor
            label={`Source of ${name}`}
            language={language === 'TYPESCRIPT' ? 'typescript' : 'javascript'}
            text={first}
            onChange={setText}
          />
        </Suspense>
        <Card title="Scenarios that test it">
          <ul className="stack body">
            {testCases.nodes.length === 0 && <li className="faint">None</li>}
            {testCases.nodes.map((each) => (
              <li key={each.id} className="row">
                <Link className="grow" to="/repository/scenarios/$id" params={{ id: each.id }}>
                  {each.name}
                </Link>
                <Run contextId={each.id} small />
              </li>
            ))}
          </ul>
        </Card>
      </div>
      {component.revisions.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Revisions
            current={{ revision, updated, text: sourceCode }}
            earlier={component.revisions.map((each) => ({
              ...each,
              text: String(each.attributes.sourceCode),
            }))}
            onTake={
              mayWrite
                ? (earlier) => {
                    setFirst(earlier)
                    setText(earlier)
                  }
                : undefined
            }
          />
        </Suspense>
      )}
    </Page>
  )
}

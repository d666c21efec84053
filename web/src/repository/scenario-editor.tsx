import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { completeScenario } from '../editor/complete.ts'
import { faultsOf, parsed } from '../editor/faults.ts'
import { SaveBar } from '../editor/save-bar.tsx'
import { yamlOf } from '../editor/yaml-text.ts'
import { Start } from '../executions/run.tsx'
import { change } from '../graph/client.ts'
import {
  CreateScenarioDocument,
  ExecuteInlineDocument,
  type HostCredentialsInput,
  ScenarioDetailDocument,
  type ScenarioDetailQuery,
  UpdateScenarioDocument,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Crumb, Empty, Page } from '../ui/parts.tsx'
import { attempt } from '../ui/toasts.tsx'
import { Loading, Problem } from '../ui/waiting.tsx'
import { type Head, HeadFields } from './head-fields.tsx'

const Editor = lazy(() => import('../editor/editor.tsx'))
const Revisions = lazy(() => import('./revisions.tsx'))
const route = getRouteApi('/repository/scenarios/$id/edit')
type TestCase = NonNullable<ScenarioDetailQuery['testCase']>

const FIRST = `# Steps run in this order; each says what it expects.
steps:
  - id: first
    http:
      url: http://127.0.0.1:4000/healthz
    expect:
      - name: it answers
        path: $.status
        assert: equals
        value: 200
`

export function NewScenario() {
  return (
    <Form
      head={{ name: '', description: '', component: '', environment: '' }}
      text={FIRST}
      testCase={null}
    />
  )
}

export default function EditScenario() {
  const { id } = route.useParams()
  const { data, error, isLoading, reload } = useRead(ScenarioDetailDocument, { id })
  const crumbs = <Crumb to="/repository/scenarios">Scenarios</Crumb>
  if (error)
    return (
      <Page title="Edit" crumbs={crumbs}>
        <Problem message={error} retry={reload} />
      </Page>
    )
  if (isLoading)
    return (
      <Page title="Edit" crumbs={crumbs}>
        <Loading />
      </Page>
    )
  const testCase = data?.testCase
  if (!testCase)
    return (
      <Page title="Edit" crumbs={crumbs}>
        <Empty icon="list" title="There is no such scenario" />
      </Page>
    )
  const { name, description, componentUnderTest, environment } = testCase
  return (
    <Form
      key={testCase.revision}
      head={{
        name,
        description: description ?? '',
        component: componentUnderTest?.id ?? '',
        environment: environment?.id ?? '',
      }}
      text={yamlOf(testCase.scenario)}
      testCase={testCase}
    />
  )
}

/** Name, what it tests, and its steps as YAML; faults appear while typing. */
function Form({
  head: given,
  text: stored,
  testCase,
}: {
  head: Head
  text: string
  testCase: TestCase | null
}) {
  const navigate = useNavigate()
  const [head, setHead] = useState(given)
  const [text, setText] = useState(stored)
  const [first, setFirst] = useState(stored)
  const [original] = useState(stored)
  const [isBusy, setBusy] = useState(false)
  const isChanged = text !== original || JSON.stringify(head) !== JSON.stringify(given)

  const save = () =>
    attempt(async () => {
      const { value: scenario, faults } = parsed(text)
      if (faults[0]) throw new Error(`The scenario cannot be read: ${faults[0].message}`)
      const attributes = {
        name: head.name,
        description: head.description || null,
        componentUnderTest: head.component || null,
        environment: head.environment || null,
        scenario,
      }
      setBusy(true)
      try {
        if (!testCase) {
          const { createTestCase } = await change(CreateScenarioDocument, { input: attributes })
          await navigate({ to: '/repository/scenarios/$id', params: createTestCase })
          return 'The scenario was created'
        }
        const {
          id,
          tags,
          useCodeCoverage,
          rerunAfterCrash,
          allowExecuteWithoutCredentials,
          retries,
          quarantine,
          needs,
          revision,
        } = testCase
        const kept = {
          tags,
          useCodeCoverage,
          rerunAfterCrash,
          allowExecuteWithoutCredentials,
          retries,
          quarantine,
          needs: needs.map((each) => each.id),
        }
        await change(UpdateScenarioDocument, {
          input: { ...kept, ...attributes, id, revision: [revision] },
        })
        return 'The scenario was saved'
      } finally {
        setBusy(false)
      }
    })

  /** Runs what stands here; nothing is stored but the execution. */
  const tryIt = async (credentials: HostCredentialsInput | undefined) => {
    const { value: scenario, faults } = parsed(text)
    if (faults[0]) throw new Error(`The scenario cannot be read: ${faults[0].message}`)
    const id = testCase?.id ?? 'draft'
    const artifact = {
      kind: 'testcase',
      id,
      name: head.name || 'Draft',
      ...(head.component && { componentUnderTest: head.component }),
      ...(head.environment && { environment: head.environment }),
      scenario,
    }
    const { executeInline } = await change(ExecuteInlineDocument, {
      input: { artifacts: [artifact], contextId: id, credentials },
    })
    return executeInline.id
  }

  return (
    <Page
      title={testCase ? `Edit ${testCase.name}` : 'New scenario'}
      crumbs={<Crumb to="/repository/scenarios">Scenarios</Crumb>}
      actions={
        <>
          <SaveBar isChanged={isChanged} isBusy={isBusy} onSave={save} />
          <Start label="Run without saving" start={tryIt} />
        </>
      }
    >
      <HeadFields head={head} onChange={setHead} />
      <Suspense fallback={<Loading lines={10} />}>
        <Editor
          label="Scenario as YAML"
          language="yaml"
          text={first}
          onChange={setText}
          check={faultsOf}
          complete={completeScenario}
        />
        {testCase && testCase.revisions.length > 0 && (
          <Revisions
            current={{ ...testCase, text: original }}
            earlier={testCase.revisions.map((each) => ({
              ...each,
              text: yamlOf(each.attributes.scenario),
            }))}
            onTake={(earlier) => {
              setFirst(earlier)
              setText(earlier)
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}

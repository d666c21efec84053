import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { completeScenario } from '../editor/complete.ts'
import { faultsOf } from '../editor/faults.ts'
import { Start } from '../executions/run.tsx'
import { change, read } from '../graph/client.ts'
import {
  CreateScenarioDocument,
  ExecuteInlineDocument,
  ScenarioDetailDocument,
  UpdateScenarioDocument,
} from '../graph/generated.ts'
import { useFresh } from '../graph/use-fresh.ts'
import { Loading } from '../ui/waiting.tsx'
import { ArtifactForm } from './forms/artifact-form.tsx'
import { faultsAt } from './forms/faults.ts'
import { Faults } from './forms/field.tsx'
import { useDraft } from './forms/use-draft.ts'
import { KINDS, Reading } from './reading.tsx'
import {
  draftOfEarlier,
  draftOfScenario,
  inputOfScenario,
  NEW_SCENARIO,
  type ScenarioDraft,
  type TestCase,
} from './scenario-draft.ts'
import { HeadFields, SettingFields } from './scenario-fields.tsx'
import { TryStep } from './try-step.tsx'

const Editor = lazy(() => import('../editor/editor.tsx'))
const route = getRouteApi('/repository/scenarios/$id/edit')

export const NewScenario = () => <Form of="new" testCase={null} start={NEW_SCENARIO} />

export default function EditScenario() {
  const { id } = route.useParams()
  const { revision } = route.useSearch()
  const of = `${id} ${revision ?? 'stored'}`
  const reading = useFresh(ScenarioDetailDocument, { id })
  return (
    <Reading kind={KINDS.scenario} reading={reading} found={reading.data?.testCase}>
      {(testCase) => {
        const earlier = testCase.revisions.find((each) => each.revision === revision)
        const start = earlier ? draftOfEarlier(testCase, earlier) : draftOfScenario(testCase).draft
        return <Form key={of} of={of} testCase={testCase} start={start} />
      }}
    </Reading>
  )
}

interface FormProps {
  of: string
  testCase: TestCase | null
  start: ScenarioDraft
}

/** Name, what it tests, and its steps as YAML; faults appear while typing. */
function Form({ of, testCase, start }: FormProps) {
  const navigate = useNavigate()
  const editing = useDraft({
    noun: KINDS.scenario.noun,
    of,
    stored: testCase && draftOfScenario(testCase),
    start,
    // The editor shows the faults of the text where they are.
    check: async () => [],
    async store(draft, revisions) {
      const input = inputOfScenario(draft)
      if (testCase) {
        const { updateTestCase } = await change(UpdateScenarioDocument, {
          input: { ...input, id: testCase.id, revision: revisions },
        })
        return updateTestCase.revision
      }
      const { createTestCase } = await change(CreateScenarioDocument, { input })
      await navigate({ to: '/repository/scenarios/$id', params: createTestCase })
      return createTestCase.revision
    },
    async latest() {
      const found = testCase && (await read(ScenarioDetailDocument, { id: testCase.id })).testCase
      return found ? draftOfScenario(found) : null
    },
  })
  const { draft, origin, set, faults } = editing

  /** What stands here as an artifact file: executions of it store nothing but themselves. */
  const artifactOf = () => {
    const { description: _, ...input } = inputOfScenario({ ...draft, name: draft.name || 'Draft' })
    return { ...input, kind: 'testcase', id: testCase?.id ?? 'draft' }
  }
  const runDraft = async () => {
    const artifact = artifactOf()
    const { executeInline } = await change(ExecuteInlineDocument, {
      input: { artifacts: [artifact], contextId: artifact.id },
    })
    return executeInline.id
  }

  return (
    <ArtifactForm
      kind={KINDS.scenario}
      title={testCase ? `Edit ${testCase.name}` : 'New scenario'}
      editing={editing}
      textOf={({ text }) => text}
      actions={<Start label="Run without saving" start={runDraft} />}
    >
      <HeadFields draft={draft} set={set} faults={faults} />
      <SettingFields draft={draft} set={set} faults={faults} />
      <Faults faults={faultsAt(faults, 'scenario')} />
      <div className="split wide-first">
        <Suspense fallback={<Loading lines={10} />}>
          <Editor
            label="Scenario as YAML"
            language="yaml"
            text={origin.text}
            onChange={(text) => set({ text })}
            check={(text) => faultsOf(text, draft)}
            complete={completeScenario}
          />
        </Suspense>
        <TryStep text={draft.text} artifactOf={artifactOf} />
      </div>
    </ArtifactForm>
  )
}

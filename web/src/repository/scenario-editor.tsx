import { lazy, Suspense } from 'react'
import { completeScenario } from '../editor/complete.ts'
import { faultsOf, parsed } from '../editor/faults.ts'
import { withFields } from '../editor/yaml-text.ts'
import { Start } from '../executions/run.tsx'
import { change } from '../graph/client.ts'
import {
  CreateScenarioDocument,
  ExecuteInlineDocument,
  ScenarioDetailDocument,
  UpdateScenarioDocument,
} from '../graph/generated.ts'
import { Loading } from '../ui/waiting.tsx'
import { DRAFT_ID } from './draft-id.ts'
import { ArtifactForm } from './forms/artifact-form.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { faultsAt } from './forms/faults.ts'
import { Faults } from './forms/field.tsx'
import { brought } from './forms/use-draft.ts'
import { KINDS } from './reading.tsx'
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

export default function EditScenario() {
  return (
    <EditPage
      key={brought.use()}
      kind={KINDS.scenario}
      document={ScenarioDetailDocument}
      create={CreateScenarioDocument}
      update={UpdateScenarioDocument}
      fresh={NEW_SCENARIO}
      draftOf={draftOfScenario}
      draftOfEarlier={draftOfEarlier}
      inputOf={inputOfScenario}
      // The editor shows the faults of the text where they are.
      check={async () => []}
      Form={Form}
    />
  )
}

/** Name, what it tests, and its steps as YAML; faults appear while typing. */
function Form({ artifact: testCase, editing }: FormProps<TestCase, ScenarioDraft>) {
  const { draft, origin, set, faults } = editing

  /** Draft as an artifact file: executions of it store nothing but themselves. */
  const artifactOf = () => {
    const { description: _, ...input } = inputOfScenario({ ...draft, name: draft.name || 'Draft' })
    const scenario = parsed(draft.text).value
    return { ...input, scenario, kind: 'testcase', id: testCase?.id ?? DRAFT_ID }
  }
  const runDraft = async () => {
    const artifact = artifactOf()
    const { executeInline } = await change(ExecuteInlineDocument, {
      input: { artifacts: [artifact], contextId: artifact.id, startedBy: 'EDITOR' },
    })
    return executeInline.id
  }

  return (
    <ArtifactForm
      kind={KINDS.scenario}
      title={testCase ? `Edit ${testCase.name}` : 'New scenario'}
      editing={editing}
      textOf={({ text, storedTags: _, ...fields }) => withFields(fields, text)}
      actions={<Start label="Run without saving" start={runDraft} />}
    >
      <HeadFields draft={draft} set={set} faults={faults} />
      <SettingFields draft={draft} set={set} faults={faults} />
      {!testCase && (
        <p className="under">
          A curl command or an OpenAPI document that is dropped or pasted beside the fields becomes
          steps.
        </p>
      )}
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

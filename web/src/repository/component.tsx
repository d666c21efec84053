import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../app/account.tsx'
import { withFields } from '../editor/yaml-text.ts'
import { Covered } from '../executions/covered.tsx'
import { Run } from '../executions/run.tsx'
import {
  ComponentDetailDocument,
  type ComponentLanguage,
  CreateComponentDocument,
  DeleteComponentDocument,
  UpdateComponentDocument,
} from '../graph/generated.ts'
import { Icon } from '../ui/icon.tsx'
import { Card } from '../ui/parts.tsx'
import { Loading } from '../ui/waiting.tsx'
import { AllRevisions } from './artifact-page.tsx'
import { bundledFrom } from './bundled.ts'
import { Choice, useEnvironmentChoices } from './choices.tsx'
import {
  type Component,
  type ComponentDraft,
  draftOfComponent,
  draftOfEarlier,
  inputOfComponent,
  NEW_COMPONENT,
} from './component-draft.ts'
import { DeleteButton } from './delete-button.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { faultsAt } from './forms/faults.ts'
import { Faults, Field } from './forms/field.tsx'
import { NameFields } from './forms/name-fields.tsx'
import { KINDS } from './reading.tsx'
import { SourceFile } from './source-file.tsx'

const Editor = lazy(() => import('../editor/editor.tsx'))

export default function ComponentPage() {
  return (
    <EditPage
      kind={KINDS.component}
      document={ComponentDetailDocument}
      create={CreateComponentDocument}
      update={UpdateComponentDocument}
      fresh={NEW_COMPONENT}
      draftOf={draftOfComponent}
      draftOfEarlier={draftOfEarlier}
      inputOf={inputOfComponent}
      check={(draft, id) => faultsOfArtifact('component', id, inputOfComponent(draft))}
      Form={Form}
    />
  )
}

/** Code under test, to read and to change, with the scenarios that test it. */
function Form({ artifact: component, editing }: FormProps<Component, ComponentDraft>) {
  const mayWrite = useMay('artifacts:write')
  const environments = useEnvironmentChoices()
  const { draft, origin, set, faults } = editing
  return (
    <ArtifactForm
      kind={KINDS.component}
      title={component ? component.name : 'New component'}
      editing={editing}
      textOf={({ sourceCode, ...fields }) => withFields(fields, sourceCode)}
      mayWrite={mayWrite}
      actions={
        component &&
        mayWrite && (
          <DeleteButton
            kind={KINDS.component}
            document={DeleteComponentDocument}
            artifact={component}
          />
        )
      }
    >
      <div className="two">
        <NameFields draft={draft} set={set} faults={faults} />
        <Field label="Language" place="language" faults={faults}>
          {(described) => (
            <select
              {...described}
              value={draft.language}
              onChange={({ target }) => {
                const language = target.value as ComponentLanguage // one of the options
                editing.replace({ ...draft, language })
              }}
            >
              <option value="JAVASCRIPT">JavaScript</option>
              <option value="TYPESCRIPT">TypeScript</option>
            </select>
          )}
        </Field>
        <Choice
          label="Environment"
          value={draft.environment}
          choices={environments}
          onChange={(environment) => set({ environment })}
        />
      </div>
      {mayWrite && (
        <SourceFile
          onRead={({ file, ...source }) =>
            editing.replace({ ...draft, ...source, name: draft.name || file })
          }
        />
      )}
      <Bundled file={bundledFrom(draft.sourceCode)} />
      <Faults faults={faultsAt(faults, 'sourceCode')} />
      <div className={component ? 'split wide-first' : 'stack'}>
        <Suspense fallback={<Loading lines={10} />}>
          <Editor
            label={component ? `Source of ${origin.name}` : 'Source'}
            language={draft.language === 'TYPESCRIPT' ? 'typescript' : 'javascript'}
            text={origin.sourceCode}
            onChange={(sourceCode) => set({ sourceCode })}
          />
        </Suspense>
        {component && <TestedBy component={component} />}
      </div>
      {component && (
        <AllRevisions
          kind={KINDS.component}
          artifact={component}
          attributes={{
            language: component.language,
            environment: component.environment?.id ?? null,
            sourceCode: component.sourceCode,
          }}
          mayWrite={mayWrite}
        />
      )}
    </ArtifactForm>
  )
}

/** Several modules are stored as one. */
const Bundled = ({ file }: { file: string | null }) =>
  file === null ? null : (
    <div className="notice">
      <Icon name="alert" />
      <span>
        This source was bundled by <code>assay apply</code> from <code>{file}</code> and the files
        that it imports. The next apply replaces what is changed here: change those files instead.
      </span>
    </div>
  )

const TestedBy = ({ component: { name, testCases } }: { component: Component }) => (
  <Card title="Scenarios that test it">
    <ul className="stack body">
      {testCases.nodes.length === 0 && <li className="faint">None</li>}
      {testCases.nodes.map((each) => (
        <li key={each.id} className="row">
          <Link className="grow" to="/repository/scenarios/$id" params={{ id: each.id }}>
            {each.name}
          </Link>
          <Covered result={each.results.nodes[0]} of={name} />
          <Run contextId={each.id} small />
        </li>
      ))}
    </ul>
  </Card>
)

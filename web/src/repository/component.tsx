import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useMay } from '../app/account.tsx'
import { Run } from '../executions/run.tsx'
import { change, read } from '../graph/client.ts'
import {
  ComponentDetailDocument,
  type ComponentDetailQuery,
  type ComponentLanguage,
  CreateComponentDocument,
  DeleteComponentDocument,
  UpdateComponentDocument,
} from '../graph/generated.ts'
import { useFresh } from '../graph/use-fresh.ts'
import { Card } from '../ui/parts.tsx'
import { Loading } from '../ui/waiting.tsx'
import { Choice, useEnvironmentChoices } from './choices.tsx'
import { DeleteButton } from './delete-button.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { faultsAt } from './forms/faults.ts'
import { Faults, Field, TextField } from './forms/field.tsx'
import { type Stored, useDraft } from './forms/use-draft.ts'
import { KINDS, Reading } from './reading.tsx'
import { type Source, SourceFile } from './source-file.tsx'

const Editor = lazy(() => import('../editor/editor.tsx'))
const Revisions = lazy(() => import('./revisions.tsx'))
const route = getRouteApi('/repository/components/$id')
type Component = NonNullable<ComponentDetailQuery['component']>

interface Draft extends Source {
  name: string
  description: string
  environment: string
}

const NEW: Draft = {
  name: '',
  description: '',
  environment: '',
  language: 'JAVASCRIPT',
  sourceCode: `// Scenarios call the functions that this module exports; they take and return JSON.
export function double(number) {
  return 2 * number
}
`,
}

export const NewComponent = () => <Form component={null} start={NEW} onSaved={() => {}} />

export default function ComponentPage() {
  const { id } = route.useParams()
  const { revision } = route.useSearch()
  const reading = useFresh(ComponentDetailDocument, { id })
  return (
    <Reading kind={KINDS.component} reading={reading} found={reading.data?.component}>
      {(component) => (
        <Form
          key={`${id} ${revision}`}
          component={component}
          start={startOf(component, revision)}
          onSaved={reading.reload}
        />
      )}
    </Reading>
  )
}

const draftOf = (component: Component): Stored<Draft> => ({
  revision: component.revision,
  draft: {
    name: component.name,
    description: component.description ?? '',
    environment: component.environment?.id ?? '',
    language: component.language,
    sourceCode: component.sourceCode,
  },
})

function startOf(component: Component, revision: number | undefined): Draft {
  const earlier = component.revisions.find((each) => each.revision === revision)
  if (!earlier) return draftOf(component).draft
  const { language, sourceCode, environment } = earlier.attributes
  return {
    name: earlier.name,
    description: earlier.description ?? '',
    environment: typeof environment === 'string' ? environment : '',
    language: language === 'TYPESCRIPT' ? 'TYPESCRIPT' : 'JAVASCRIPT',
    sourceCode: String(sourceCode),
  }
}

const inputOf = ({ name, description, environment, language, sourceCode }: Draft) => ({
  name,
  description: description || null,
  environment: environment || null,
  language,
  sourceCode,
})

interface FormProps {
  component: Component | null
  start: Draft
  onSaved(): void
}

/** Code under test, to read and to change, with the scenarios that test it. */
function Form({ component, start, onSaved }: FormProps) {
  const navigate = useNavigate()
  const mayWrite = useMay('artifacts:write')
  const environments = useEnvironmentChoices()
  const editing = useDraft({
    noun: KINDS.component.noun,
    stored: component && draftOf(component),
    start,
    check: (draft) => faultsOfArtifact('component', component?.id, inputOf(draft)),
    async store(draft, revisions) {
      const input = inputOf(draft)
      if (component) {
        const { id } = component
        const { updateComponent } = await change(UpdateComponentDocument, {
          input: { ...input, id, revision: revisions },
        })
        onSaved()
        return updateComponent.revision
      }
      const { createComponent } = await change(CreateComponentDocument, { input })
      await navigate({ to: '/repository/components/$id', params: createComponent })
      return createComponent.revision
    },
    async latest() {
      if (!component) return null
      const found = await read(ComponentDetailDocument, { id: component.id })
      return found.component && draftOf(found.component)
    },
  })
  const { draft, origin, set, faults } = editing
  return (
    <ArtifactForm
      kind={KINDS.component}
      title={component ? component.name : 'New component'}
      editing={editing}
      textOf={({ sourceCode }) => sourceCode}
      mayWrite={mayWrite}
      actions={
        component &&
        mayWrite && (
          <DeleteButton
            document={DeleteComponentDocument}
            artifact={component}
            onDeleted={() => navigate({ to: '/repository/components' })}
          />
        )
      }
    >
      <div className="two">
        <TextField
          label="Name"
          place="name"
          faults={faults}
          isRequired
          value={draft.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Description"
          place="description"
          faults={faults}
          value={draft.description}
          onChange={(description) => set({ description })}
        />
        <Field label="Language" place="language" faults={faults}>
          {(described) => (
            <select
              {...described}
              value={draft.language}
              onChange={({ target }) => set({ language: target.value as ComponentLanguage })} // one of the options
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
          onRead={(source) =>
            editing.replace({ ...draft, ...source, name: draft.name || source.file })
          }
        />
      )}
      <Faults faults={faultsAt(faults, 'sourceCode')} />
      <div className={component ? 'split wide-first' : 'stack'}>
        <Suspense fallback={<Loading lines={10} />}>
          <Editor
            label={component ? `Source of ${component.name}` : 'Source'}
            language={draft.language === 'TYPESCRIPT' ? 'typescript' : 'javascript'}
            text={origin.sourceCode}
            onChange={(sourceCode) => set({ sourceCode })}
          />
        </Suspense>
        {component && <TestedBy component={component} />}
      </div>
      {component && component.revisions.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Revisions
            id={component.id}
            current={{
              ...component,
              attributes: {
                language: component.language,
                environment: component.environment?.id ?? null,
                sourceCode: component.sourceCode,
              },
            }}
            earlier={component.revisions}
            editor="/repository/components/$id"
            mayWrite={mayWrite}
          />
        </Suspense>
      )}
    </ArtifactForm>
  )
}

const TestedBy = ({ component: { testCases } }: { component: Component }) => (
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
)

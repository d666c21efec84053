import { yamlOf } from '../editor/yaml-text.ts'
import {
  CreateTriggerDocument,
  TriggerDetailDocument,
  UpdateTriggerDocument,
} from '../graph/generated.ts'
import { CHANGES } from '../notifications/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Check, Select } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { Choices } from './forms/choices.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { Field, TextField } from './forms/field.tsx'
import { NameFields } from './forms/name-fields.tsx'
import { UnattendedFields } from './forms/unattended-fields.tsx'
import type { Editing } from './forms/use-draft.ts'
import { KINDS } from './reading.tsx'
import {
  draftOfEarlier,
  draftOfTrigger,
  inputOfTrigger,
  NEW_TRIGGER,
  newSecret,
  type Trigger,
  type TriggerDraft,
} from './trigger-draft.ts'
import { SENDERS, Sender } from './trigger-sender.tsx'

export default function EditTrigger() {
  return (
    <EditPage
      kind={KINDS.trigger}
      document={TriggerDetailDocument}
      create={CreateTriggerDocument}
      update={UpdateTriggerDocument}
      fresh={NEW_TRIGGER}
      draftOf={draftOfTrigger}
      draftOfEarlier={draftOfEarlier}
      inputOf={inputOfTrigger}
      check={(draft, id) => faultsOfArtifact('trigger', id, inputOfTrigger(draft))}
      isLeft
      Form={Form}
    />
  )
}

const ORIGINS = [
  { name: 'query', title: 'Changes of events' },
  { name: 'github', title: SENDERS.github.title },
  { name: 'gitlab', title: SENDERS.gitlab.title },
  { name: 'standard', title: SENDERS.standard.title },
] as const

/** A draft without its secret. */
const textOf = ({ secret, ...draft }: TriggerDraft): string => yamlOf(draft)

function Form({ artifact: trigger, editing }: FormProps<Trigger, TriggerDraft>) {
  const { draft, set, faults } = editing
  const isQuery = draft.startedBy === 'query'
  return (
    <ArtifactForm
      kind={KINDS.trigger}
      title={trigger ? `Edit ${trigger.name}` : 'New trigger'}
      editing={editing}
      textOf={textOf}
    >
      <div className="two">
        <div className="stack">
          <NameFields draft={draft} set={set} faults={faults} />
          <Field label="Started by" place="webhook" faults={faults}>
            {(described) => (
              <Select
                {...described}
                label="Started by"
                value={draft.startedBy}
                options={ORIGINS}
                onChange={(startedBy) => set({ startedBy, secret: '' })}
              />
            )}
          </Field>
          {isQuery ? <QueryFields {...editing} /> : <WebhookFields {...editing} />}
          <Field
            label="Executions within an hour, at most"
            place="perHour"
            faults={faults}
            hint="What is beyond it is refused, and an event says so"
          >
            {(described) => (
              <input
                {...described}
                type="number"
                min={1}
                max={1_000}
                value={draft.perHour}
                onChange={({ target }) => set({ perHour: Number(target.value) })}
              />
            )}
          </Field>
          <Check label="Enabled" isOn={draft.enabled} onChange={(enabled) => set({ enabled })} />
        </div>
        <div className="stack">
          <UnattendedFields
            editing={editing}
            labelsHint={`; a value such as ${isQuery ? '$.source.ref' : '$.ref'} is a JSONPath into the ${isQuery ? 'event' : 'payload'}`}
          />
        </div>
      </div>
    </ArtifactForm>
  )
}

type Fields = Pick<Editing<TriggerDraft>, 'draft' | 'set' | 'faults'>

const QueryFields = ({ draft, set, faults }: Fields) => (
  <>
    <TextField
      label="Events"
      place="query"
      faults={faults}
      hint="A query as on the page of events, such as severity:CRITICAL AND source.type:host"
      isRequired
      value={draft.query}
      onChange={(query) => set({ query })}
    />
    <Choices
      label="Changes that start an execution"
      place="on"
      faults={faults}
      options={CHANGES}
      chosen={draft.on}
      onChange={(on) => set({ on })}
    />
  </>
)

function WebhookFields({ draft, set, faults }: Fields) {
  const { startedBy, secret, name } = draft
  if (startedBy === 'query') return null
  const isStored = secret === '***'
  return (
    <>
      <TextField
        label="Secret"
        place="secret"
        faults={faults}
        hint={
          isStored
            ? 'The stored one stays; write another one to replace it'
            : 'Copy it to the sender now: once it is saved, *** stands for it'
        }
        isRequired
        value={secret}
        onChange={(next) => set({ secret: next })}
      />
      <div className="row">
        <Button small onClick={() => set({ secret: newSecret(startedBy) })}>
          Make a new secret
        </Button>
        {secret !== '' && !isStored && <CopyButton small text={secret} label="Copy the secret" />}
      </div>
      <Sender name={name} webhook={startedBy} />
    </>
  )
}

import {
  ChannelDetailDocument,
  CreateChannelDocument,
  UpdateChannelDocument,
} from '../graph/generated.ts'
import { ArtifactForm, faultsOfArtifact } from '../repository/forms/artifact-form.tsx'
import { EditPage, type FormProps } from '../repository/forms/edit-page.tsx'
import { Field, LinesField, TextField } from '../repository/forms/field.tsx'
import { NameFields } from '../repository/forms/name-fields.tsx'
import { KINDS } from '../repository/reading.tsx'
import { Select } from '../ui/inputs.tsx'
import {
  type Channel,
  type ChannelDraft,
  channelOfEarlier,
  draftOfChannel,
  inputOfChannel,
  NEW_CHANNEL,
} from './drafts.ts'

const OPTIONS = [
  { name: 'webhook', title: 'Webhook: signed JSON' },
  { name: 'slack', title: 'Incoming webhook of Slack, or of a product that takes the same' },
  { name: 'email', title: 'E-mail' },
] as const

/** The id of the kind of a channel in artifact files, where `kind` is that of the artifact. */
const fileOf = (draft: ChannelDraft) => {
  const { kind: channelKind, ...attributes } = inputOfChannel(draft)
  return { ...attributes, channelKind }
}

export default function EditChannel() {
  return (
    <EditPage
      kind={KINDS.channel}
      document={ChannelDetailDocument}
      create={CreateChannelDocument}
      update={UpdateChannelDocument}
      fresh={NEW_CHANNEL}
      draftOf={draftOfChannel}
      draftOfEarlier={channelOfEarlier}
      inputOf={inputOfChannel}
      check={(draft, id) => faultsOfArtifact('channel', id, fileOf(draft))}
      isLeft
      Form={Form}
    />
  )
}

function Form({ artifact: channel, editing }: FormProps<Channel, ChannelDraft>) {
  const { draft, set, faults } = editing
  return (
    <ArtifactForm
      kind={KINDS.channel}
      title={channel ? `Edit ${channel.name}` : 'New channel'}
      editing={editing}
    >
      <div className="stack">
        <NameFields draft={draft} set={set} faults={faults} />
        <Field label="Kind" place="kind" faults={faults}>
          {(described) => (
            <Select
              {...described}
              label="Kind"
              value={draft.kind}
              options={OPTIONS}
              onChange={(kind) => set({ kind })}
            />
          )}
        </Field>
        {draft.kind === 'email' ? (
          <LinesField
            label="Addresses"
            place="to"
            faults={faults}
            hint="One on each line"
            value={draft.to}
            onChange={(to) => set({ to })}
          />
        ) : (
          <TextField
            label="Address"
            place="url"
            faults={faults}
            hint="Stored sealed: only its origin is shown later, and /*** behind it stands for the stored address"
            isRequired
            value={draft.url}
            onChange={(url) => set({ url })}
          />
        )}
        {draft.kind === 'webhook' && (
          <LinesField
            label="Body, in place of the common one"
            place="template"
            faults={faults}
            hint="JSON with {{title}}, {{text}}, {{event.severity}} and the like within its strings"
            value={draft.template}
            onChange={(template) => set({ template })}
          />
        )}
      </div>
    </ArtifactForm>
  )
}

import {
  CreateReceiverDocument,
  ReceiverDetailDocument,
  UpdateReceiverDocument,
} from '../graph/generated.ts'
import { ArtifactForm, faultsOfArtifact } from '../repository/forms/artifact-form.tsx'
import { EditPage, type FormProps } from '../repository/forms/edit-page.tsx'
import { Field } from '../repository/forms/field.tsx'
import { NameFields } from '../repository/forms/name-fields.tsx'
import { KINDS } from '../repository/reading.tsx'
import {
  draftOfReceiver,
  inputOfReceiver,
  NEW_RECEIVER,
  type Receiver,
  type ReceiverDraft,
  receiverOfEarlier,
} from './receiver-draft.ts'
import { ReceiverTrial } from './receiver-trial.tsx'

/** Faults of the document stand at it: its attributes have no fields of their own. */
async function faultsOf(draft: ReceiverDraft, id: string | undefined): Promise<string[]> {
  try {
    const faults = await faultsOfArtifact('receiver', id, inputOfReceiver(draft))
    return faults.map((fault) =>
      /^(id|name|description): /.test(fault) ? fault : atMapping(fault),
    )
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

const atMapping = (fault: string): string =>
  fault.startsWith('The name ') ? fault : `mapping/${fault}`

export default function EditReceiver() {
  return (
    <EditPage
      kind={KINDS.receiver}
      document={ReceiverDetailDocument}
      create={CreateReceiverDocument}
      update={UpdateReceiverDocument}
      fresh={NEW_RECEIVER}
      draftOf={draftOfReceiver}
      draftOfEarlier={receiverOfEarlier}
      inputOf={inputOfReceiver}
      check={faultsOf}
      isLeft
      Form={Form}
    />
  )
}

function Form({ artifact: receiver, editing }: FormProps<Receiver, ReceiverDraft>) {
  const { draft, set, faults } = editing
  return (
    <ArtifactForm
      kind={KINDS.receiver}
      title={receiver ? `Edit ${receiver.name}` : 'New receiver'}
      editing={editing}
      textOf={({ mapping }) => mapping}
    >
      <div className="two">
        <div className="stack">
          <NameFields draft={draft} set={set} faults={faults} />
          <Field
            label="Mapping"
            place="mapping"
            faults={faults}
            hint="YAML or JSON: $ is the body that the tool sends, @ an item of it"
          >
            {(described) => (
              <textarea
                {...described}
                className="mono"
                rows={18}
                spellCheck={false}
                value={draft.mapping}
                onChange={({ target }) => set({ mapping: target.value })}
              />
            )}
          </Field>
        </div>
        <ReceiverTrial mapping={draft.mapping} />
      </div>
    </ArtifactForm>
  )
}

import {
  CreateSilenceDocument,
  SilenceDetailDocument,
  UpdateSilenceDocument,
} from '../graph/generated.ts'
import { ArtifactForm, faultsOfArtifact } from '../repository/forms/artifact-form.tsx'
import { Choices } from '../repository/forms/choices.tsx'
import { EditPage, type FormProps } from '../repository/forms/edit-page.tsx'
import { TextField } from '../repository/forms/field.tsx'
import { NameFields } from '../repository/forms/name-fields.tsx'
import { KINDS } from '../repository/reading.tsx'
import { Check } from '../ui/inputs.tsx'
import {
  draftOfSilence,
  inputOfSilence,
  NEW_SILENCE,
  type Silence,
  type SilenceDraft,
  silenceOfEarlier,
} from './drafts.ts'
import { DAYS } from './words.ts'

export default function EditSilence() {
  return (
    <EditPage
      kind={KINDS.silence}
      document={SilenceDetailDocument}
      create={CreateSilenceDocument}
      update={UpdateSilenceDocument}
      fresh={NEW_SILENCE}
      draftOf={draftOfSilence}
      draftOfEarlier={silenceOfEarlier}
      inputOf={inputOfSilence}
      check={(draft, id) => faultsOfArtifact('silence', id, inputOfSilence(draft))}
      isLeft
      Form={Form}
    />
  )
}

function Form({ artifact: silence, editing }: FormProps<Silence, SilenceDraft>) {
  const { draft, set, faults } = editing
  const text = (
    place: 'query' | 'from' | 'until' | 'reason' | 'opens' | 'closes' | 'timeZone',
  ) => ({
    ...{ place, faults, value: draft[place] },
    onChange: (value: string) => set({ [place]: value }),
  })
  return (
    <ArtifactForm
      kind={KINDS.silence}
      title={silence ? `Edit ${silence.name}` : 'New silence'}
      editing={editing}
    >
      <div className="two">
        <div className="stack">
          <NameFields draft={draft} set={set} faults={faults} />
          <TextField
            label="Events"
            hint="A query as on the page of events, such as source.ref:db-1"
            isRequired
            {...text('query')}
          />
          <TextField label="Reason" isRequired {...text('reason')} />
          <Check
            label="Notify of what is still open when it ends"
            isOn={draft.notifyAtEnd}
            onChange={(notifyAtEnd) => set({ notifyAtEnd })}
          />
        </div>
        <div className="stack">
          <TextField
            label="From"
            hint="Such as 2027-01-31T18:00:00Z; at once, if empty"
            {...text('from')}
          />
          <TextField
            label="Until"
            hint="A time, or RESOLVED: until nothing that it matches is open"
            {...text('until')}
          />
          <Check
            label="Each week"
            isOn={draft.isWeekly}
            onChange={(isWeekly) => set({ isWeekly })}
          />
          {draft.isWeekly && (
            <>
              <Choices
                label="Days on which it begins"
                place="weekly"
                faults={faults}
                options={DAYS}
                chosen={draft.days}
                onChange={(days) => set({ days })}
              />
              <TextField label="Begins at" {...text('opens')} />
              <TextField label="Ends at" {...text('closes')} />
              <TextField label="Time zone" {...text('timeZone')} />
            </>
          )}
        </div>
      </div>
    </ArtifactForm>
  )
}

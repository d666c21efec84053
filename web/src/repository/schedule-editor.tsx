import {
  CreateScheduleDocument,
  ScheduleDetailDocument,
  UpdateScheduleDocument,
} from '../graph/generated.ts'
import { Check, Select } from '../ui/inputs.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { Field, TextField } from './forms/field.tsx'
import { NameFields } from './forms/name-fields.tsx'
import { UnattendedFields } from './forms/unattended-fields.tsx'
import { KINDS } from './reading.tsx'
import {
  draftOfEarlier,
  draftOfSchedule,
  inputOfSchedule,
  NEW_SCHEDULE,
  type Schedule,
  type ScheduleDraft,
} from './schedule-draft.ts'

export default function EditSchedule() {
  return (
    <EditPage
      kind={KINDS.schedule}
      document={ScheduleDetailDocument}
      create={CreateScheduleDocument}
      update={UpdateScheduleDocument}
      fresh={NEW_SCHEDULE}
      draftOf={draftOfSchedule}
      draftOfEarlier={draftOfEarlier}
      inputOf={inputOfSchedule}
      check={(draft, id) => faultsOfArtifact('schedule', id, inputOfSchedule(draft))}
      isLeft
      Form={Form}
    />
  )
}

const MISSED = [
  { name: 'SKIP', title: 'are left out' },
  { name: 'ONCE', title: 'are made up for by one run' },
] as const

const OVERLAP = [
  { name: 'SKIP', title: 'is left out' },
  { name: 'QUEUE', title: 'waits for its end' },
  { name: 'CANCEL', title: 'starts and cancels it' },
] as const

/** Times of a schedule, and what it executes. */
function Form({ artifact: schedule, editing }: FormProps<Schedule, ScheduleDraft>) {
  const { draft, set, faults } = editing
  const text = (place: 'cron' | 'timeZone' | 'spread') => ({
    ...{ place, faults, value: draft[place] },
    onChange: (value: string) => set({ [place]: value }),
  })
  return (
    <ArtifactForm
      kind={KINDS.schedule}
      title={schedule ? `Edit ${schedule.name}` : 'New schedule'}
      editing={editing}
    >
      <div className="two">
        <div className="stack">
          <NameFields draft={draft} set={set} faults={faults} />
          <TextField
            label="Times"
            hint="Minute, hour, day of month, month and day of week, such as 30 2 * * 1-5; or @hourly, @daily, @weekly"
            isRequired
            {...text('cron')}
          />
          <TextField label="Time zone" hint="Such as Europe/Berlin" {...text('timeZone')} />
          <Check label="Enabled" isOn={draft.enabled} onChange={(enabled) => set({ enabled })} />
        </div>
        <div className="stack">
          <UnattendedFields editing={editing} />
          <Field label="Missed times" place="missed" faults={faults}>
            {(described) => (
              <Select
                {...described}
                label="Missed times"
                value={draft.missed}
                options={MISSED}
                onChange={(missed) => set({ missed })}
              />
            )}
          </Field>
          <Field label="A run while the one before it runs" place="overlap" faults={faults}>
            {(described) => (
              <Select
                {...described}
                label="A run while the one before it runs"
                value={draft.overlap}
                options={OVERLAP}
                onChange={(overlap) => set({ overlap })}
              />
            )}
          </Field>
          <TextField
            label="Spread"
            hint="Duration such as 10m over which schedules with equal times are spread"
            {...text('spread')}
          />
        </div>
      </div>
    </ArtifactForm>
  )
}

import {
  CreateEnvironmentDocument,
  EnvironmentDetailDocument,
  type Runner,
  UpdateEnvironmentDocument,
} from '../graph/generated.ts'
import { Check } from '../ui/inputs.tsx'
import {
  draftOfEarlier,
  draftOfEnvironment,
  type Environment,
  type EnvironmentDraft,
  inputOfEnvironment,
  NEW_ENVIRONMENT,
  RUNNERS,
} from './environment-draft.ts'
import { Secrets, Variables } from './environment-rows.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { faultsAt } from './forms/faults.ts'
import { Faults, LinesField, TextField } from './forms/field.tsx'
import { NameFields } from './forms/name-fields.tsx'
import { KINDS } from './reading.tsx'

export default function EditEnvironment() {
  return (
    <EditPage
      kind={KINDS.environment}
      document={EnvironmentDetailDocument}
      create={CreateEnvironmentDocument}
      update={UpdateEnvironmentDocument}
      fresh={NEW_ENVIRONMENT}
      draftOf={draftOfEnvironment}
      draftOfEarlier={draftOfEarlier}
      inputOf={inputOfEnvironment}
      check={faultsOf}
      isLeft
      Form={Form}
    />
  )
}

/** Values of secrets go to the server when the draft is saved, and never before. */
const withoutValues = ({ secrets = [], ...input }: ReturnType<typeof inputOfEnvironment>) => ({
  ...input,
  secrets: secrets?.map(({ name }) => ({ name })),
})

async function faultsOf(draft: EnvironmentDraft, id: string | undefined): Promise<string[]> {
  try {
    return await faultsOfArtifact('environment', id, withoutValues(inputOfEnvironment(draft)))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function Form({ artifact: environment, editing }: FormProps<Environment, EnvironmentDraft>) {
  const { draft, set, faults } = editing
  const toggle = (runner: Runner, isOn: boolean) =>
    set({
      runners: isOn ? [...draft.runners, runner] : draft.runners.filter((each) => each !== runner),
    })
  return (
    <ArtifactForm
      kind={KINDS.environment}
      title={environment ? `Edit ${environment.name}` : 'New environment'}
      editing={editing}
      textOf={textOf}
    >
      <div className="two">
        <NameFields draft={draft} set={set} faults={faults} />
        <TextField
          label="Base URL"
          place="baseUrl"
          faults={faults}
          hint="Relative addresses of steps lie below it."
          value={draft.baseUrl}
          onChange={(baseUrl) => set({ baseUrl })}
        />
        <LinesField
          label="Hosts that steps may reach, one on each line"
          place="allowedHosts"
          faults={faults}
          hint="Such as api.example.com or *.example.com:8443; the host of the base URL need not be listed."
          rows={3}
          value={draft.allowedHosts}
          onChange={(allowedHosts) => set({ allowedHosts })}
        />
        <Variables
          items={draft.variables}
          faults={faults}
          onChange={(variables) => set({ variables })}
        />
        <Secrets items={draft.secrets} faults={faults} onChange={(secrets) => set({ secrets })} />
        <fieldset className="stack tight field">
          <legend>Runners</legend>
          {Object.entries(RUNNERS).map(([runner, label]) => (
            <Check
              key={runner}
              label={label}
              isOn={draft.runners.some((each) => each === runner)}
              onChange={(isOn) => toggle(runner as Runner, isOn)} // a key of the record
            />
          ))}
          <Faults faults={faultsAt(faults, 'runners')} />
        </fieldset>
      </div>
    </ArtifactForm>
  )
}

/** A draft without values of secrets. */
const textOf = ({ secrets, ...others }: EnvironmentDraft): string =>
  JSON.stringify({ ...others, secrets: secrets.map(({ name }) => name) }, null, 2)

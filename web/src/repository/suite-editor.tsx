import {
  CreateSuiteDocument,
  SuiteDetailDocument,
  UpdateSuiteDocument,
} from '../graph/generated.ts'
import { Check } from '../ui/inputs.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { Field } from './forms/field.tsx'
import { useEnvironments, useScenarios } from './forms/matches.ts'
import { NameFields } from './forms/name-fields.tsx'
import { NamedList } from './forms/named-list.tsx'
import { KINDS } from './reading.tsx'
import {
  draftOfEarlier,
  draftOfSuite,
  inputOfSuite,
  NEW_SUITE,
  type Suite,
  type SuiteDraft,
} from './suite-draft.ts'

export default function EditSuite() {
  return (
    <EditPage
      kind={KINDS.suite}
      document={SuiteDetailDocument}
      create={CreateSuiteDocument}
      update={UpdateSuiteDocument}
      fresh={NEW_SUITE}
      draftOf={draftOfSuite}
      draftOfEarlier={draftOfEarlier}
      inputOf={inputOfSuite}
      check={(draft, id) => faultsOfArtifact('suite', id, inputOfSuite(draft))}
      isLeft
      Form={Form}
    />
  )
}

/** The scenarios of a suite in their order, and how they run. */
function Form({ artifact: suite, editing }: FormProps<Suite, SuiteDraft>) {
  const { draft, set, faults } = editing
  return (
    <ArtifactForm
      kind={KINDS.suite}
      title={suite ? `Edit ${suite.name}` : 'New suite'}
      editing={editing}
    >
      <div className="two">
        <NameFields draft={draft} set={set} faults={faults} />
        <NamedList
          label="Scenarios, in the order to run them"
          place="testCases"
          faults={faults}
          noun="a scenario"
          items={draft.testCases}
          onChange={(testCases) => set({ testCases })}
          useMatches={useScenarios}
        />
        <div className="stack">
          <NamedList
            label="Setup, which runs first"
            place="setup"
            faults={faults}
            noun="a scenario"
            most={1}
            items={draft.setup}
            onChange={(setup) => set({ setup })}
            useMatches={useScenarios}
          />
          <NamedList
            label="Teardown, which runs last"
            place="teardown"
            faults={faults}
            noun="a scenario"
            most={1}
            items={draft.teardown}
            onChange={(teardown) => set({ teardown })}
            useMatches={useScenarios}
          />
          <NamedList
            label="Environments, in each of which all of it runs once"
            place="environments"
            faults={faults}
            noun="an environment"
            items={draft.environments}
            onChange={(environments) => set({ environments })}
            useMatches={useEnvironments}
          />
          <Field label="Scenarios at a time" place="maxParallel" faults={faults}>
            {(described) => (
              <input
                {...described}
                type="number"
                min={1}
                value={draft.maxParallel}
                onChange={({ target }) => set({ maxParallel: Number(target.value) })}
              />
            )}
          </Field>
          <Check
            label="Stop after the first scenario that does not succeed"
            isOn={draft.haltAtFailure}
            onChange={(haltAtFailure) => set({ haltAtFailure })}
          />
        </div>
      </div>
    </ArtifactForm>
  )
}

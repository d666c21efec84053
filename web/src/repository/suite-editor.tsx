import {
  CreateSuiteDocument,
  SuiteDetailDocument,
  UpdateSuiteDocument,
} from '../graph/generated.ts'
import { Check } from '../ui/inputs.tsx'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { EditPage, type FormProps } from './forms/edit-page.tsx'
import { Field } from './forms/field.tsx'
import { ENVIRONMENTS, SCENARIOS } from './forms/matches.ts'
import { NameFields } from './forms/name-fields.tsx'
import { type Named, NamedList } from './forms/named-list.tsx'
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
  const listOf = (place: 'testCases' | 'setup' | 'teardown' | 'environments') => ({
    ...{ place, faults, items: draft[place] },
    onChange: (items: readonly Named[]) => set({ ...draft, [place]: items }),
  })
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
          {...listOf('testCases')}
          {...SCENARIOS}
        />
        <div className="stack">
          <NamedList label="Setup, which runs first" {...listOf('setup')} {...SCENARIOS} most={1} />
          <NamedList
            label="Teardown, which runs last"
            {...listOf('teardown')}
            {...SCENARIOS}
            most={1}
          />
          <NamedList
            label="Environments, in each of which all of it runs once"
            {...listOf('environments')}
            {...ENVIRONMENTS}
          />
          <Field label="Parallel scenarios" place="maxParallel" faults={faults}>
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

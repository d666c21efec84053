import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { change, read } from '../graph/client.ts'
import {
  CreateSuiteDocument,
  SuiteDetailDocument,
  UpdateSuiteDocument,
} from '../graph/generated.ts'
import { useFresh } from '../graph/use-fresh.ts'
import { ArtifactForm, faultsOfArtifact } from './forms/artifact-form.tsx'
import { Check, Field } from './forms/field.tsx'
import { useEnvironments, useScenarios } from './forms/matches.ts'
import { NameFields } from './forms/name-fields.tsx'
import { NamedList } from './forms/named-list.tsx'
import { useDraft } from './forms/use-draft.ts'
import { KINDS, Reading } from './reading.tsx'
import {
  draftOfRevision,
  draftOfSuite,
  inputOfSuite,
  NEW_SUITE,
  type Suite,
} from './suite-draft.ts'

const route = getRouteApi('/repository/suites/$id/edit')

export const NewSuite = () => <Form of="new" suite={null} start={NEW_SUITE} />

export default function EditSuite() {
  const { id } = route.useParams()
  const { revision } = route.useSearch()
  const of = `${id} ${revision ?? 'stored'}`
  const reading = useFresh(SuiteDetailDocument, { id })
  return (
    <Reading kind={KINDS.suite} reading={reading} found={reading.data?.suite}>
      {(suite) => {
        const earlier = suite.revisions.find((each) => each.revision === revision)
        const start = earlier ? draftOfRevision(suite, earlier) : draftOfSuite(suite).draft
        return <Form key={of} of={of} suite={suite} start={start} />
      }}
    </Reading>
  )
}

interface FormProps {
  of: string
  suite: Suite | null
  start: typeof NEW_SUITE
}

/** The scenarios of a suite in their order, and how they run. */
function Form({ of, suite, start }: FormProps) {
  const navigate = useNavigate()
  const editing = useDraft({
    noun: KINDS.suite.noun,
    of,
    stored: suite && draftOfSuite(suite),
    start,
    check: (draft) => faultsOfArtifact('suite', suite?.id, inputOfSuite(draft)),
    async store(draft, revisions) {
      const input = inputOfSuite(draft)
      const { id, revision: stored } = suite
        ? (
            await change(UpdateSuiteDocument, {
              input: { ...input, id: suite.id, revision: revisions },
            })
          ).updateSuite
        : (await change(CreateSuiteDocument, { input })).createSuite
      await navigate({ to: '/repository/suites/$id', params: { id } })
      return stored
    },
    async latest() {
      const found = suite && (await read(SuiteDetailDocument, { id: suite.id })).suite
      return found ? draftOfSuite(found) : null
    },
  })
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

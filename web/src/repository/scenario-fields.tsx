import { Check } from '../ui/inputs.tsx'
import { Choice, useComponentChoices, useEnvironmentChoices } from './choices.tsx'
import { Field, TextField } from './forms/field.tsx'
import { SCENARIOS } from './forms/matches.ts'
import { NameFields } from './forms/name-fields.tsx'
import { NamedList } from './forms/named-list.tsx'
import type { Editing } from './forms/use-draft.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

type FieldsProps = Pick<Editing<ScenarioDraft>, 'draft' | 'set' | 'faults'>

/** Name of a scenario, and the artifacts that it works with. */
export function HeadFields({ draft, set, faults }: FieldsProps) {
  const components = useComponentChoices()
  const environments = useEnvironmentChoices()
  return (
    <div className="two">
      <NameFields draft={draft} set={set} faults={faults} />
      <Choice
        label="Component under test"
        value={draft.component}
        choices={components}
        onChange={(component) => set({ component })}
      />
      <Choice
        label="Environment"
        value={draft.environment}
        choices={environments}
        onChange={(environment) => set({ environment })}
      />
    </div>
  )
}

const CHECKS = [
  ['quarantine', 'Quarantine: it makes no suite fail'],
  ['useCodeCoverage', 'Measure the coverage of the component'],
  ['rerunAfterCrash', 'Run again after its worker was lost'],
  [
    'allowExecuteWithoutCredentials',
    'Run without host credentials, also for callers who have not signed in',
  ],
] as const

/** Fields that decide how a scenario is found and run; folded, as most scenarios keep the defaults. */
export const SettingFields = ({ draft, set, faults }: FieldsProps) => (
  <details className="card" open={faults.some(({ place }) => /^(tags|needs|retries)$/.test(place))}>
    <summary className="body">Tags, order, retries and other settings</summary>
    <div className="two body">
      <TextField
        label="Tags, with commas between them"
        place="tags"
        faults={faults}
        hint="Executions of a suite can choose scenarios by them."
        value={draft.tags}
        onChange={(tags) => set({ tags })}
      />
      <Field
        label="Retries of one that does not succeed"
        place="retries"
        faults={faults}
        hint="0 to 5. Every try is kept; a good one after a bad one makes the result flaky."
      >
        {(described) => (
          <input
            {...described}
            type="number"
            min={0}
            value={draft.retries}
            onChange={({ target }) => set({ retries: Number(target.value) })}
          />
        )}
      </Field>
      <NamedList
        label="Scenarios that a suite must have completed before"
        place="needs"
        faults={faults}
        items={draft.needs}
        onChange={(needs) => set({ needs })}
        {...SCENARIOS}
      />
      <div className="stack tight">
        {CHECKS.map(([name, label]) => (
          <Check
            key={name}
            label={label}
            isOn={draft[name]}
            onChange={(isOn) => set({ ...draft, [name]: isOn })}
          />
        ))}
      </div>
    </div>
  </details>
)

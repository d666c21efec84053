import { useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import { type StartedBy, TrendContextsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { ComponentSelect, useEnvironmentChoices } from '../repository/choices.tsx'
import { Check, Form, Select } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { RangeSelect } from '../ui/range-select.tsx'
import { sortSearch } from '../ui/sort.ts'
import { lookOf } from '../ui/state.tsx'
import { type ExecutionSearch, executionSearch, isFiltered, ORIGINS, STATES } from './search.ts'
import { useSuggestions } from './suggestions.ts'

const FIELDS = [
  { name: 'text', label: 'Name', width: 'named' },
  { name: 'label', label: 'Label, as build=42', width: 'named' },
  { name: 'tag', label: 'Tag', width: 'short' },
  { name: 'user', label: 'User', width: 'short' },
  { name: 'context', label: 'Id of scenario or suite', width: 'named' },
] as const

const TYPES = [
  { name: '', title: 'Scenarios and suites' },
  { name: 'TEST', title: 'Scenarios' },
  { name: 'SUITE', title: 'Suites' },
] as const

const ORIGIN_CHOICES: readonly { name: StartedBy | ''; title: string }[] = [
  { name: '', title: 'Any origin but drafts' },
  ...Object.entries(ORIGINS).map(([name, title]) => ({ name: name as StartedBy, title })),
]

const named = (text: string) => ({ id: text, name: text })

/** Every filter is in the address, so a link is a saved view. */
export function Filters({ search }: { search: ExecutionSearch }) {
  const navigate = useNavigate()
  const set = (change: Record<string, unknown>) =>
    void navigate({
      to: '/executions',
      search: executionSearch({ ...search, ...change }),
    })
  const environments = useEnvironmentChoices()
  const found = useRead(TrendContextsDocument, { filter: null }).data
  const suggestions = useSuggestions()
  const choices = {
    text: [],
    tag: [],
    label: suggestions.label.map(named),
    user: suggestions.user.map(named),
    context: [...(found?.suites.nodes ?? []), ...(found?.testCases.nodes ?? [])],
  }
  const states = search.state ?? []
  return (
    <div className="row filters" role="search" aria-label="Filter executions">
      <fieldset className="row tight chips">
        <legend className="hidden">State</legend>
        {STATES.map((state) => (
          <Check
            key={state}
            className="chip"
            label={lookOf(state).word}
            isOn={states.includes(state)}
            onChange={(isOn) =>
              set({ state: isOn ? [...states, state] : states.filter((each) => each !== state) })
            }
          />
        ))}
      </fieldset>
      <Select
        label="Type"
        value={search.type ?? ''}
        options={TYPES}
        onChange={(type) => set({ type: type || undefined })}
      />
      <Select
        label="Environment"
        value={search.environment ?? ''}
        options={[
          { name: '', title: 'All environments' },
          ...environments.map(({ id, name }) => ({ name: id, title: name })),
        ]}
        onChange={(environment) => set({ environment })}
      />
      <ComponentSelect
        value={search.component ?? ''}
        onChange={(component) => set({ component })}
      />
      <RangeSelect range={search} any="Any time" onChange={(range) => set(range)} />
      <Select
        label="Origin"
        value={search.origin ?? ''}
        options={ORIGIN_CHOICES}
        onChange={(origin) => set({ origin: origin || undefined })}
      />
      <Check
        className="chip"
        label="Scenarios of suites"
        isOn={search.members ?? false}
        onChange={(isOn) => set({ members: isOn || undefined })}
      />
      <Form
        className="row"
        onFocus={suggestions.use}
        onSubmit={(form) =>
          set(Object.fromEntries(FIELDS.map(({ name }) => [name, String(form.get(name))])))
        }
      >
        {FIELDS.map(({ name, label, width }, index) => (
          <Fragment key={`${name} ${search[name] ?? ''}`}>
            <input
              className={`input ${width}`}
              name={name}
              data-search={index === 0 ? '' : undefined}
              aria-label={label}
              placeholder={label}
              defaultValue={search[name]}
              list={choices[name].length > 0 ? `${name}-choices` : undefined}
            />
            <datalist id={`${name}-choices`}>
              {choices[name].map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </datalist>
          </Fragment>
        ))}
        <Button type="submit" icon="search">
          Search
        </Button>
      </Form>
      {isFiltered(search) && (
        <Button
          look="plain"
          icon="cross"
          onClick={() => void navigate({ to: '/executions', search: sortSearch({ ...search }) })}
        >
          Clear
        </Button>
      )}
    </div>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import { EnvironmentsDocument, TrendContextsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { CHOICES } from '../repository/choices.tsx'
import { Button } from '../ui/parts.tsx'
import { lookOf } from '../ui/state.tsx'
import { type ExecutionSearch, executionSearch, STATES } from './search.ts'
import { useSuggestions } from './suggestions.ts'

const FIELDS = [
  { name: 'text', label: 'Name', width: 'named' },
  { name: 'label', label: 'Label, as build=42', width: 'named' },
  { name: 'user', label: 'User', width: 'short' },
  { name: 'context', label: 'Id of scenario or suite', width: 'named' },
] as const

const shownAs = (value: string) => ({ value, shown: value })

/** Every filter is in the address, so a link is a saved view. */
export function Filters({ search }: { search: ExecutionSearch }) {
  const navigate = useNavigate()
  const set = (change: ExecutionSearch) =>
    void navigate({
      to: '/executions',
      search: executionSearch({ ...search, ...change }),
      replace: true,
    })
  const environments = useRead(EnvironmentsDocument, CHOICES).data?.environments.nodes ?? []
  const found = useRead(TrendContextsDocument, {}).data
  const contexts = [...(found?.suites.nodes ?? []), ...(found?.testCases.nodes ?? [])]
  const suggestions = useSuggestions()
  const choices = {
    text: [],
    label: suggestions.label.map(shownAs),
    user: suggestions.user.map(shownAs),
    context: contexts.map(({ id, name }) => ({ value: id, shown: name })),
  }
  const states = search.state ?? []
  return (
    <div className="row filters" role="search" aria-label="Filter executions">
      <fieldset className="row tight chips">
        <legend className="hidden">State</legend>
        {STATES.map((state) => (
          <label key={state} className="chip">
            <input
              type="checkbox"
              checked={states.includes(state)}
              onChange={({ target }) =>
                set({
                  state: target.checked
                    ? [...states, state]
                    : states.filter((each) => each !== state),
                })
              }
            />
            {lookOf(state).word}
          </label>
        ))}
      </fieldset>
      <select
        className="input"
        aria-label="Type"
        value={search.type ?? ''}
        onChange={({ target }) =>
          set({
            type: target.value === 'SUITE' ? 'SUITE' : target.value === 'TEST' ? 'TEST' : undefined,
          })
        }
      >
        <option value="">Scenarios and suites</option>
        <option value="TEST">Scenarios</option>
        <option value="SUITE">Suites</option>
      </select>
      <select
        className="input"
        aria-label="Environment"
        value={search.environment ?? ''}
        onChange={({ target }) => set({ environment: target.value })}
      >
        <option value="">All environments</option>
        {environments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Time"
        value={search.since ?? ''}
        onChange={({ target }) => set({ since: executionSearch({ since: target.value }).since })}
      >
        <option value="">Any time</option>
        <option value="hour">Last hour</option>
        <option value="day">Last day</option>
        <option value="week">Last week</option>
        <option value="month">Last 30 days</option>
      </select>
      <form
        className="row"
        onFocus={suggestions.use}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          set({
            text: String(form.get('text')),
            label: String(form.get('label')),
            user: String(form.get('user')),
            context: String(form.get('context')),
          })
        }}
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
              {choices[name].map(({ value, shown }) => (
                <option key={value} value={value}>
                  {shown}
                </option>
              ))}
            </datalist>
          </Fragment>
        ))}
        <Button type="submit" icon="search">
          Search
        </Button>
      </form>
      {Object.keys(search).length > 0 && (
        <Button
          look="plain"
          icon="cross"
          onClick={() => void navigate({ to: '/executions', search: {} })}
        >
          Clear
        </Button>
      )}
    </div>
  )
}

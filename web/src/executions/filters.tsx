import { useNavigate } from '@tanstack/react-router'
import { Button } from '../ui/parts.tsx'
import { lookOf } from '../ui/state.tsx'
import { type ExecutionSearch, executionSearch, STATES } from './search.ts'

/** Every filter is in the address, so a link is a saved view. */
export function Filters({ search }: { search: ExecutionSearch }) {
  const navigate = useNavigate()
  const set = (change: ExecutionSearch) =>
    void navigate({
      to: '/executions',
      search: executionSearch({ ...search, ...change }),
      replace: true,
    })
  const states = search.state ?? []
  return (
    <div className="row" role="search" aria-label="Filter executions">
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          set({ context: String(new FormData(event.currentTarget).get('context')) })
        }}
      >
        <input
          key={search.context}
          className="input"
          name="context"
          data-search
          aria-label="Id of a scenario or suite"
          placeholder="Id of a scenario or suite"
          defaultValue={search.context}
        />
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

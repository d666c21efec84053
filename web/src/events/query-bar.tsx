import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { HistogramInterval } from '../graph/generated.ts'
import { Check, Form, Select } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { eventSearch, hasClause, INTERVALS, QUICK, toggled } from './search.ts'
import { useSuggestions } from './suggestions.ts'

/** The query, which the address holds: a link is a saved view. */
export function QueryBar({ q, interval }: { q: string; interval: HistogramInterval }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(q)
  const [applied, setApplied] = useState(q)
  // The address changes by itself too, as one goes back.
  if (applied !== q) {
    setApplied(q)
    setTyped(q)
  }
  const suggestions = useSuggestions(typed)
  const set = (search: { q?: string; interval?: string }) => {
    const isSameList = search.interval !== undefined
    void navigate({
      to: '/events',
      search: eventSearch({ q, interval, ...search }),
      replace: isSameList,
      resetScroll: !isSameList,
    })
  }
  return (
    <div className="stack">
      <Form className="row" onSubmit={(form) => set({ q: String(form.get('q')) })}>
        <input
          className="input grow query"
          name="q"
          data-search
          list="query-parts"
          aria-label="Query"
          placeholder="Query, such as status:OPEN AND severity:ERROR, or words"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id="query-parts">
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        <Button type="submit" icon="search">
          Search
        </Button>
      </Form>
      <div className="row">
        <fieldset className="row tight chips">
          <legend className="hidden">Quick filters</legend>
          {QUICK.map(({ title, query }) => (
            <Check
              key={query}
              className="chip"
              label={title}
              isOn={hasClause(typed, query)}
              onChange={() => {
                const next = toggled(typed, query)
                setTyped(next)
                set({ q: next })
              }}
            />
          ))}
        </fieldset>
        <span className="grow" />
        <Select
          label="Time"
          value={interval}
          options={INTERVALS}
          onChange={(name) => set({ interval: name })}
        />
      </div>
    </div>
  )
}

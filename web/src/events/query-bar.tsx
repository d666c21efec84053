import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EventFieldsDocument, EventFieldValuesDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Check, Form } from '../ui/inputs.tsx'
import { Button } from '../ui/parts.tsx'
import { RangeSelect } from '../ui/range-select.tsx'
import { AnnounceQuery } from './announcer.tsx'
import { phrase } from './query.ts'
import { type EventSearch, eventSearch, hasClause, QUICK, toggled } from './search.ts'

/** The query so far with each way to go on: a field, or a value of the field that was typed. */
function useSuggestions(query: string): string[] {
  const [, before = '', word = ''] = /^(.*?)([^\s()]*)$/s.exec(query) ?? []
  const [, field, prefix = ''] = /^-?([\w.]+):"?([^"]*)$/.exec(word) ?? []
  const fields = useRead(EventFieldsDocument, { prefix: word }, field !== undefined)
  const values = useRead(
    EventFieldValuesDocument,
    { field: field ?? '', prefix },
    field === undefined,
  )
  if (field === undefined)
    return (fields.data?.eventFields ?? []).map(({ name }) => `${before}${name}:`)
  return (values.data?.eventFieldValues ?? []).map(
    ({ value }) => `${before}${field}:${quoted(value)}`,
  )
}

/** Words stand as they are; what the syntax could read as more is quoted. */
const quoted = (value: string): string => (/^[\w.-]+$/.test(value) ? value : phrase(value))

/** The query, which the address holds: a link is a saved view. */
export function QueryBar({ search }: { search: EventSearch }) {
  const { q = '', ...range } = search
  const navigate = useNavigate()
  const [typed, setTyped] = useState(q)
  const [applied, setApplied] = useState(q)
  // The address changes by itself too, as one goes back.
  if (applied !== q) {
    setApplied(q)
    setTyped(q)
  }
  const suggestions = useSuggestions(typed)
  const set = (change: Record<string, unknown>) =>
    void navigate({ to: '/events', search: eventSearch({ ...search, ...change }) })
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
        <AnnounceQuery query={q} />
        <RangeSelect range={range} any="Any time" onChange={set} />
      </div>
    </div>
  )
}

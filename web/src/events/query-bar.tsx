import { useNavigate } from '@tanstack/react-router'
import type { HistogramInterval } from '../graph/generated.ts'
import { Button } from '../ui/parts.tsx'
import { eventSearch, INTERVALS, QUICK, toggled } from './search.ts'

/** The fields that queries know, offered while typing. */
const FIELDS = [
  'title',
  'message',
  'severity',
  'status',
  'tags',
  'eventClass',
  'source.ref',
  'source.type',
  'source.name',
  'firstSeenAt',
  'lastSeenAt',
  'timesSeen',
]
const VALUES = [
  'status:OPEN',
  'status:ACKNOWLEDGED',
  'status:CLOSED',
  'status:OK',
  'severity:INFO',
  'severity:WARN',
  'severity:ERROR',
  'severity:CRITICAL',
  'timesSeen:[10 TO *]',
]

/** The query, which the address holds: a link is a saved view. */
export function QueryBar({ q, interval }: { q: string; interval: HistogramInterval }) {
  const navigate = useNavigate()
  const set = (search: { q?: string; interval?: string }) =>
    void navigate({ to: '/events', search: eventSearch({ q, interval, ...search }), replace: true })
  return (
    <div className="stack">
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          set({ q: String(new FormData(event.currentTarget).get('q')) })
        }}
      >
        <input
          key={q}
          className="input grow query"
          name="q"
          data-search
          list="query-parts"
          aria-label="Query"
          placeholder="Query, such as status:OPEN AND severity:ERROR, or words"
          defaultValue={q}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id="query-parts">
          {[...VALUES, ...FIELDS.map((field) => `${field}:`)].map((part) => (
            <option key={part} value={part} />
          ))}
        </datalist>
        <Button type="submit" icon="search">
          Search
        </Button>
      </form>
      <div className="row">
        <fieldset className="row tight">
          <legend className="hidden">Quick filters</legend>
          {QUICK.map(({ title, query }) => (
            <label key={query} className="chip">
              <input
                type="checkbox"
                checked={q.split(' AND ').includes(query)}
                onChange={() => set({ q: toggled(q, query) })}
              />
              {title}
            </label>
          ))}
        </fieldset>
        <span className="grow" />
        <select
          className="input"
          aria-label="Time"
          value={interval}
          onChange={({ target }) => set({ interval: target.value })}
        >
          {INTERVALS.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { FindDocument, FindEventsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { KINDS } from '../repository/reading.tsx'
import { exactTime } from '../ui/format.ts'
import { Dialog } from '../ui/parts.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { useRights } from './account.tsx'
import { PAGES } from './menu.tsx'

interface Found {
  to: string
  name: string
  kind: string
}

/** Finds a page, an artifact, an execution or an event by a part of its name, or by its id. */
export default function Finder({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [index, setIndex] = useState(0)
  const found = useFound(typed.trim())
  const place = Math.min(index, found.length - 1)
  const open = ({ to }: Found) => {
    onClose()
    void navigate({ to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = found[place]
    if (step && found.length > 0) setIndex((place + step + found.length) % found.length)
    else if (event.key === 'Enter' && chosen) open(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Find" onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label="Page, artifact, execution or event"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${place}` : undefined}
        placeholder="A part of the name, or an id"
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value)
          setIndex(0)
        }}
      />
      <div className="found" id={listId} role="listbox" aria-label="Found">
        {found.map((each, own) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={each.to}
            id={`${listId}-${own}`}
            role="option"
            tabIndex={-1}
            aria-selected={own === place}
            onClick={() => open(each)}
          >
            <span className="cut grow" dir="auto">
              {each.name}
            </span>
            <span className="under">{each.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="soft">Nothing found</p>}
    </Dialog>
  )
}

/** Pages at once, the rest as soon as typing pauses. */
function useFound(text: string): Found[] {
  const part = useDebounced(text)
  const isUuid = UUID.test(part)
  const { data } = useRead(
    FindDocument,
    {
      ...{ id: part, isUuid },
      filter: { name: inEitherCase(part) },
      executions: { text: part, isMember: false },
    },
    part === '',
  )
  const query = isUuid ? null : `"${part.replaceAll(/["\\]/g, '\\$&')}"`
  const events = useRead(FindEventsDocument, { query }, part === '' || isUuid).data
  const isAllowed = useRights(false)
  const pages = PAGES.filter(
    ({ name, permission }) =>
      isAllowed(permission) && name.toLowerCase().includes(text.toLowerCase()),
  ).map(({ to, name }) => ({ to, name, kind: 'Page' }))
  if (text === '' || part === '') return pages
  const all: Found[] = [
    ...pages,
    ...at(KINDS.scenario, [data?.testCase, ...(data?.testCases.nodes ?? [])]),
    ...at(KINDS.suite, [data?.suite, ...(data?.suites.nodes ?? [])]),
    ...at(KINDS.component, [data?.component, ...(data?.components.nodes ?? [])]),
    ...at(KINDS.environment, [data?.environment, ...(data?.environments.nodes ?? [])]),
    ...at(KINDS.schedule, [data?.schedule, ...(data?.schedules.nodes ?? [])]),
    ...at(KINDS.trigger, [data?.trigger, ...(data?.triggers.nodes ?? [])]),
    ...at(EXECUTION, [data?.executionResult]),
    ...(data?.executionResults.nodes ?? []).map(({ id, name, started }) => ({
      to: `/executions/${id}`,
      name,
      kind: `Execution, ${exactTime(started)}`,
    })),
    ...at(
      EVENT,
      (events?.events.nodes ?? []).map(({ id, title }) => ({ id, name: title })),
    ),
    ...(isUuid ? at(EVENT, [{ id: part, name: part }]) : []),
  ]
  return [...new Map(all.map((each) => [each.to, each])).values()]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const EXECUTION = { noun: 'execution', list: { to: '/executions' } }
const EVENT = { noun: 'event', list: { to: '/events' } }

interface Kind {
  noun: string
  list: { to: string }
}

const at = (
  { noun, list }: Kind,
  found: readonly ({ id: string; name: string } | null | undefined)[],
): Found[] =>
  found.flatMap((each) =>
    each
      ? {
          to: `${list.to}/${encodeURIComponent(each.id)}`,
          name: each.name,
          kind: titleOf(noun),
        }
      : [],
  )

const titleOf = (noun: string) => `${noun[0]?.toUpperCase()}${noun.slice(1)}`

/** Names begin with a capital more often than people type one, and the filter is case-sensitive. */
function inEitherCase(part: string): string[] {
  const text = part.replaceAll('*', '\\*')
  return [text, `${text[0]?.toUpperCase()}${text.slice(1)}`].map((each) => `*${each}*`)
}

import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from '../../ui/parts.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { type Fault, faultsAt } from './faults.ts'
import { Faults } from './field.tsx'

/** An artifact that another one names. */
export interface Named {
  id: string
  name: string
}

interface NamedListProps {
  label: string
  /** The attribute that it is for. */
  place: string
  faults: readonly Fault[]
  items: readonly Named[]
  onChange(items: readonly Named[]): void
  /** Artifacts with a text in their names. */
  useMatches(text: string): readonly Named[]
  /** One of them, such as a scenario. */
  noun: string
  /** Maximum number. */
  most?: number
}

/** Artifacts in an order, each found by its name. */
export function NamedList({
  label,
  place,
  faults,
  items,
  onChange,
  useMatches,
  noun,
  most = Number.POSITIVE_INFINITY,
}: NamedListProps) {
  const id = useId()
  const [text, setText] = useState('')
  const debounced = useDebounced(text)
  const matches = useMatches(debounced)
  const match = matches.find(({ name }) => name === text)
  const add = () => {
    if (!match) return
    onChange([...items.filter((each) => each.id !== match.id), match])
    setText('')
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  const move = (from: number, to: number) => {
    const moved = items.toSpliced(from, 1)
    const item = items[from]
    if (item) onChange(moved.toSpliced(to, 0, item))
  }
  return (
    <fieldset className="stack tight field">
      <legend>{label}</legend>
      <ol className="stack tight">
        {items.map((item, index) => (
          <li key={item.id} className="row tight">
            <span className="grow cut" title={item.id}>
              {item.name}
            </span>
            {most > 1 && (
              <>
                <Button
                  small
                  look="plain"
                  aria-label={`Move ${item.name} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  ↑
                </Button>
                <Button
                  small
                  look="plain"
                  aria-label={`Move ${item.name} down`}
                  disabled={index === items.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  ↓
                </Button>
              </>
            )}
            <Button
              small
              look="plain"
              icon="cross"
              aria-label={`Remove ${item.name}`}
              onClick={() => onChange(items.filter((each) => each.id !== item.id))}
            />
          </li>
        ))}
      </ol>
      {items.length < most && (
        <div className="row tight">
          <input
            className="grow"
            list={`${id}-matches`}
            value={text}
            aria-label={`${label}: name of ${noun} to add`}
            placeholder={`Name of ${noun}`}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={onKey}
          />
          <datalist id={`${id}-matches`}>
            {matches.map((each) => (
              <option key={each.id} value={each.name} />
            ))}
          </datalist>
          <Button small disabled={!match} aria-label={`${label}: add`} onClick={add}>
            Add
          </Button>
        </div>
      )}
      {text !== '' && text === debounced && !match && (
        <p className="under">Select one of the names that are offered.</p>
      )}
      <Faults faults={faultsAt(faults, place)} />
    </fieldset>
  )
}

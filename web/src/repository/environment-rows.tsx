import type { ReactNode } from 'react'
import { Button } from '../ui/parts.tsx'
import type { SecretDraft, Variable, VariableType } from './environment-draft.ts'
import { type Fault, faultsAt } from './forms/faults.ts'
import { Faults } from './forms/field.tsx'

interface RowsProps<Item> {
  title: string
  /** Name of one of them; with an s it is the attribute. */
  noun: 'variable' | 'secret'
  items: readonly Item[]
  /** First values of a new one. */
  blank: Item
  faults: readonly Fault[]
  onChange(items: readonly Item[]): void
  /** The inputs behind the name. @param label what the row is called */
  children(item: Item, set: (part: Partial<Item>) => void, label: string): ReactNode
}

/** Things with names, to add and to remove. */
const Rows = <Item extends { name: string; isStored?: boolean }>({
  title,
  noun,
  items,
  blank,
  faults,
  onChange,
  children,
}: RowsProps<Item>) => (
  <fieldset className="stack tight field">
    <legend>{title}</legend>
    {items.map((item, index) => {
      const set = (part: Partial<Item>) => onChange(items.with(index, { ...item, ...part }))
      const label = `${noun} ${item.name || `number ${index + 1}`}`
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change as they are typed
        <div key={index} className="row tight entry">
          <input
            aria-label={`Name of ${noun} ${index + 1}`}
            placeholder="Name"
            value={item.name}
            readOnly={item.isStored}
            onChange={({ target }) => onChange(items.with(index, { ...item, name: target.value }))}
          />
          {children(item, set, label)}
          <Button
            small
            look="plain"
            icon="cross"
            aria-label={`Remove ${label}`}
            onClick={() => onChange(items.toSpliced(index, 1))}
          />
        </div>
      )
    })}
    <Button small className="fit" onClick={() => onChange([...items, blank])}>
      Add a {noun}
    </Button>
    <Faults faults={faultsAt(faults, `${noun}s`)} />
  </fieldset>
)

const TYPES: readonly VariableType[] = ['text', 'number', 'boolean']
const typeOf = (text: string): VariableType => TYPES.find((type) => type === text) ?? 'text'

type Given<Item> = Pick<RowsProps<Item>, 'items' | 'faults' | 'onChange'>

/** Names, types and values of variables. */
export const Variables = (given: Given<Variable>) => (
  <Rows {...given} title="Variables" noun="variable" blank={{ name: '', type: 'text', value: '' }}>
    {({ type, value }, set, label) => (
      <>
        <select
          aria-label={`Type of ${label}`}
          value={type}
          onChange={({ target }) => set({ type: typeOf(target.value) })}
        >
          {TYPES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        {type === 'boolean' ? (
          <select
            aria-label={`Value of ${label}`}
            value={value === 'true' ? 'true' : 'false'}
            onChange={({ target }) => set({ value: target.value })}
          >
            <option>true</option>
            <option>false</option>
          </select>
        ) : (
          <input
            aria-label={`Value of ${label}`}
            placeholder="Value"
            inputMode={type === 'number' ? 'decimal' : undefined}
            value={value}
            onChange={({ target }) => set({ value: target.value })}
          />
        )}
      </>
    )}
  </Rows>
)

/** Names of secrets; a value can be written, and is never read back. */
export const Secrets = (given: Given<SecretDraft>) => (
  <Rows {...given} title="Secrets" noun="secret" blank={{ name: '', value: '', isStored: false }}>
    {({ value, isStored }, set, label) => (
      <input
        type="password"
        autoComplete="new-password"
        aria-label={`Value of ${label}`}
        placeholder={isStored ? 'Stored; type to replace it' : 'At least 4 characters'}
        value={value}
        onChange={({ target }) => set({ value: target.value })}
      />
    )}
  </Rows>
)

import { Button } from '../ui/parts.tsx'
import type { SecretDraft, Variable, VariableType } from './environment-draft.ts'
import { type Fault, faultsAt } from './forms/faults.ts'
import { Faults } from './forms/field.tsx'

const TYPES: readonly VariableType[] = ['text', 'number', 'boolean']
const typeOf = (text: string): VariableType => TYPES.find((type) => type === text) ?? 'text'

const replaced = <Item,>(items: readonly Item[], index: number, part: Partial<Item>): Item[] =>
  items.map((item, at) => (at === index ? { ...item, ...part } : item))

interface VariablesProps {
  variables: readonly Variable[]
  faults: readonly Fault[]
  onChange(variables: readonly Variable[]): void
}

/** Names, types and values of variables. */
export const Variables = ({ variables, faults, onChange }: VariablesProps) => (
  <fieldset className="stack tight field">
    <legend>Variables</legend>
    {variables.map((variable, index) => {
      const { name, type, value } = variable
      const set = (part: Partial<Variable>) => onChange(replaced(variables, index, part))
      const label = name || `number ${index + 1}`
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change as they are typed
        <div key={index} className="row tight entry">
          <input
            aria-label={`Name of variable ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <select
            aria-label={`Type of variable ${label}`}
            value={type}
            onChange={({ target }) => set({ type: typeOf(target.value) })}
          >
            {TYPES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          {type === 'boolean' ? (
            <select
              aria-label={`Value of variable ${label}`}
              value={value === 'true' ? 'true' : 'false'}
              onChange={({ target }) => set({ value: target.value })}
            >
              <option>true</option>
              <option>false</option>
            </select>
          ) : (
            <input
              aria-label={`Value of variable ${label}`}
              placeholder="Value"
              inputMode={type === 'number' ? 'decimal' : undefined}
              value={value}
              onChange={({ target }) => set({ value: target.value })}
            />
          )}
          <Remove
            what={`variable ${label}`}
            onClick={() => onChange(variables.toSpliced(index, 1))}
          />
        </div>
      )
    })}
    <Button
      small
      className="fit"
      onClick={() => onChange([...variables, { name: '', type: 'text', value: '' }])}
    >
      Add a variable
    </Button>
    <Faults faults={faultsAt(faults, 'variables')} />
  </fieldset>
)

interface SecretsProps {
  secrets: readonly SecretDraft[]
  faults: readonly Fault[]
  onChange(secrets: readonly SecretDraft[]): void
}

/** Names of secrets; a value can be written, and is never read back. */
export const Secrets = ({ secrets, faults, onChange }: SecretsProps) => (
  <fieldset className="stack tight field">
    <legend>Secrets</legend>
    {secrets.map(({ name, value, isStored }, index) => {
      const set = (part: Partial<SecretDraft>) => onChange(replaced(secrets, index, part))
      const label = name || `number ${index + 1}`
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change as they are typed
        <div key={index} className="row tight entry">
          <input
            aria-label={`Name of secret ${index + 1}`}
            placeholder="Name"
            value={name}
            readOnly={isStored}
            onChange={({ target }) => set({ name: target.value })}
          />
          <input
            type="password"
            autoComplete="new-password"
            aria-label={`Value of secret ${label}`}
            placeholder={isStored ? 'Stored; type to replace it' : 'At least 4 characters'}
            value={value}
            onChange={({ target }) => set({ value: target.value })}
          />
          <Remove what={`secret ${label}`} onClick={() => onChange(secrets.toSpliced(index, 1))} />
        </div>
      )
    })}
    <Button
      small
      className="fit"
      onClick={() => onChange([...secrets, { name: '', value: '', isStored: false }])}
    >
      Add a secret
    </Button>
    <Faults faults={faultsAt(faults, 'secrets')} />
  </fieldset>
)

const Remove = ({ what, onClick }: { what: string; onClick(): void }) => (
  <Button small look="plain" icon="cross" aria-label={`Remove ${what}`} onClick={onClick} />
)

import { ComponentsDocument, EnvironmentsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'

/** Enough for a list to choose from. */
const CHOICES = { first: 1_000, count: false, sort: [{ attribute: 'name' }] }

export const useEnvironmentChoices = () =>
  useRead(EnvironmentsDocument, CHOICES).data?.page.nodes ?? []

export const useComponentChoices = () => useRead(ComponentsDocument, CHOICES).data?.page.nodes ?? []

interface ChoiceProps {
  label: string
  value: string
  choices: readonly { id: string; name: string }[]
  onChange(id: string): void
}

/** One of some artifacts, or none. */
export const Choice = ({ label, value, choices, onChange }: ChoiceProps) => (
  <label className="field">
    {label}
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      {value !== '' && !choices.some(({ id }) => id === value) && (
        <option value={value}>{value}</option>
      )}
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

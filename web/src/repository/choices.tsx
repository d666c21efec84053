import { ComponentsDocument, EnvironmentsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Select } from '../ui/inputs.tsx'

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

interface ComponentSelectProps {
  /** Id of the component; empty for all. */
  value: string
  onChange(id: string): void
}

/** Narrows a list to what has to do with one component. */
export function ComponentSelect({ value, onChange }: ComponentSelectProps) {
  const components = useComponentChoices().map(({ id, name }) => ({ name: id, title: name }))
  const isKnown = value === '' || components.some(({ name }) => name === value)
  const options = [
    { name: '', title: 'All components' },
    ...(isKnown ? [] : [{ name: value, title: value }]),
    ...components,
  ]
  return <Select label="Component" value={value} options={options} onChange={onChange} />
}

import { ComponentsDocument, EnvironmentsDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { CHOICES } from './choices.ts'

/** What a scenario is called, and what it works with: ids, or nothing. */
export interface Head {
  name: string
  description: string
  component: string
  environment: string
}

export function HeadFields({ head, onChange }: { head: Head; onChange(head: Head): void }) {
  const components = useRead(ComponentsDocument, CHOICES).data?.components.nodes ?? []
  const environments = useRead(EnvironmentsDocument, CHOICES).data?.environments.nodes ?? []
  const set = (part: Partial<Head>) => onChange({ ...head, ...part })
  return (
    <div className="two">
      <label className="field">
        Name
        <input value={head.name} required onChange={({ target }) => set({ name: target.value })} />
      </label>
      <label className="field">
        Description
        <input
          value={head.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </label>
      <Choice
        label="Component under test"
        value={head.component}
        choices={components}
        onChange={(component) => set({ component })}
      />
      <Choice
        label="Environment"
        value={head.environment}
        choices={environments}
        onChange={(environment) => set({ environment })}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  choices: readonly { id: string; name: string }[]
  onChange(id: string): void
}

const Choice = ({ label, value, choices, onChange }: ChoiceProps) => (
  <label className="field">
    {label}
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

import { TextField } from './field.tsx'
import type { Editing } from './use-draft.ts'

/** Name and description, which every artifact has. */
export function NameFields<Draft extends { name: string; description: string }>({
  draft,
  set,
  faults,
}: Pick<Editing<Draft>, 'draft' | 'set' | 'faults'>) {
  // Both are attributes of every draft.
  const change = (part: { name: string } | { description: string }) => set(part as Partial<Draft>)
  return (
    <>
      <TextField
        label="Name"
        place="name"
        faults={faults}
        isRequired
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="Description"
        place="description"
        faults={faults}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
    </>
  )
}

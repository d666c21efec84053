import type { UnattendedDraft } from '../unattended-draft.ts'
import { LinesField, TextField } from './field.tsx'
import { ENVIRONMENTS, EXECUTABLES } from './matches.ts'
import { NamedList } from './named-list.tsx'
import type { Editing } from './use-draft.ts'

interface UnattendedFieldsProps<Draft> {
  editing: Pick<Editing<Draft>, 'draft' | 'set' | 'faults'>
  /** Beyond their form. */
  labelsHint?: string
}

/** Target, environment, credentials and labels of what starts executions without a person. */
export function UnattendedFields<Draft extends UnattendedDraft>({
  editing: { draft, set, faults },
  labelsHint = '',
}: UnattendedFieldsProps<Draft>) {
  // All are attributes of the draft.
  const change = (part: Partial<UnattendedDraft>) => set(part as Partial<Draft>)
  return (
    <>
      <NamedList
        label="Scenario or suite to execute"
        {...{ place: 'target', faults, items: draft.target, most: 1, ...EXECUTABLES }}
        onChange={(target) => change({ target })}
      />
      <NamedList
        label="Environment, instead of that of the scenarios"
        {...{ place: 'environment', faults, items: draft.environment, most: 1, ...ENVIRONMENTS }}
        onChange={(environment) => change({ environment })}
      />
      <TextField
        label="Secret with host credentials"
        place="credentialsFrom"
        faults={faults}
        hint="Name of a secret of the environment that holds USER_ID:PASSWORD"
        value={draft.credentialsFrom}
        onChange={(credentialsFrom) => change({ credentialsFrom })}
      />
      <LinesField
        label="Labels"
        place="labels"
        faults={faults}
        hint={`name=value, one on each line${labelsHint}`}
        value={draft.labels}
        onChange={(labels) => change({ labels })}
      />
    </>
  )
}

import type { ReactNode } from 'react'
import { SaveBar } from '../../editor/save-bar.tsx'
import { read } from '../../graph/client.ts'
import { ValidateArtifactDocument } from '../../graph/generated.ts'
import { Page } from '../../ui/parts.tsx'
import { crumbOf, type KINDS } from '../reading.tsx'
import Conflict from './conflict.tsx'
import { faultsAt } from './faults.ts'
import { Faults } from './field.tsx'
import type { Editing } from './use-draft.ts'

/** Id in artifact files of one that has none yet. */
const NEW = 'new'

/** Faults of an artifact in the form of a file, which the server finds without storing it. */
export async function faultsOfArtifact(
  kind: string,
  id: string | undefined,
  attributes: object,
): Promise<string[]> {
  const artifact = { ...attributes, kind, id: id ?? NEW }
  const { validateArtifacts } = await read(ValidateArtifactDocument, { artifact })
  return validateArtifacts.faults.map(({ message }) => message)
}

interface ArtifactFormProps<Draft> {
  kind: (typeof KINDS)[keyof typeof KINDS]
  title: string
  editing: Editing<Draft>
  textOf?(draft: Draft): string
  actions?: ReactNode
  mayWrite?: boolean
  children: ReactNode
}

/** A page that edits an artifact: saving it, a conflict, faults without a place, and its fields. */
export function ArtifactForm<Draft>({
  kind,
  title,
  editing,
  textOf,
  actions,
  mayWrite = true,
  children,
}: ArtifactFormProps<Draft>) {
  const nowhere = faultsAt(editing.faults, '')
  return (
    <Page
      title={title}
      crumbs={crumbOf(kind)}
      actions={
        <>
          {actions}
          {mayWrite && (
            <SaveBar
              isChanged={editing.isChanged}
              isBusy={editing.isBusy}
              onSave={editing.save}
              onDiscard={editing.discard}
            />
          )}
        </>
      }
    >
      <Conflict editing={editing} textOf={textOf} />
      {nowhere.length > 0 && (
        <div className="notice bad" role="alert">
          <Faults faults={nowhere} />
        </div>
      )}
      {children}
    </Page>
  )
}

import type { Artifact, ArtifactKind, SealedValues } from './artifact.kind.ts'

/** An artifact as it is stored: what only its kind has is in `fields`. */
export interface ArtifactRow {
  idSpace: string
  kind: string
  id: string
  name: string
  description?: string | null
  revision: number
  created: Date
  updated: Date
  fields: Record<string, unknown>
}

/** What is written together: an artifact, and the values of its secrets. */
export interface Sealable {
  artifact: Artifact
  sealed: SealedValues
}

/** The row as the domain sees it: the attributes of its kind beside the common ones. */
export function toArtifact(row: ArtifactRow): Artifact {
  const { id, name, description = null, revision, created, updated, fields } = row
  return { ...fields, id, name, description, revision, created, updated }
}

export function toRow(kind: ArtifactKind, artifact: Artifact): ArtifactRow {
  const { id, name, description, revision, created, updated, ...fields } = artifact
  const { idSpace } = kind
  return {
    kind: kind.name,
    idSpace,
    id,
    name,
    description,
    revision,
    created,
    updated,
    fields,
  }
}

import { badInput } from '../../../formats/errors.ts'
import { checkText } from '../../../platform/database/database-text.ts'
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
  updatedBy?: string | null
  fields: Record<string, unknown>
}

/** Parts that are written together: an artifact, and the values of its secrets. */
export interface Sealable {
  artifact: Artifact
  sealed: SealedValues
}

/** A row that a statement of ours reads: outside its own mapping MikroORM leaves times as text. */
export interface ReadRow extends Omit<ArtifactRow, 'idSpace' | 'kind' | 'created' | 'updated'> {
  created: string
  updated: string
}

/** The columns of a ReadRow. */
export const READ_COLUMNS =
  'id, name, description, revision, created, updated, updated_by as "updatedBy", fields'

export const readArtifact = (row: ReadRow): Artifact =>
  toArtifact({ ...row, created: new Date(row.created), updated: new Date(row.updated) })

/** The row as the domain sees it: the attributes of its kind beside the common ones. */
export function toArtifact(row: Omit<ArtifactRow, 'idSpace' | 'kind'>): Artifact {
  const { id, name, description = null, revision, created, updated, updatedBy = null, fields } = row
  return { ...fields, id, name, description, revision, created, updated, updatedBy }
}

export function toRow(kind: ArtifactKind, artifact: Artifact): ArtifactRow {
  const { id, name, description, revision, created, updated, updatedBy, ...fields } = artifact
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
    updatedBy,
    fields,
  }
}

const ID = /^[A-Za-z0-9._~:-]{1,255}$/
const RESERVED_IDS = new Set(['count', 'result', '.', '..'])
const NAME_LENGTH = 255

/** True if something can be stored under it: an id stands alone in a segment of a path. */
export const isId = (id: string): boolean => ID.test(id) && !RESERVED_IDS.has(id)

/** @throws AppError BAD_USER_INPUT unless something can be stored under the id */
export function checkId(id: string): string {
  if (isId(id)) return id
  throw badInput(
    'id: expected 1 to 255 of the characters A-Z a-z 0-9 . _ ~ : - and none of the words count, result, ., ..',
  )
}

/** @throws AppError BAD_USER_INPUT */
export function checkName(name: string): string {
  checkText('name', name)
  if (name.trim() !== '' && name.length <= NAME_LENGTH) return name
  throw badInput(`name: expected a text of 1 to ${NAME_LENGTH} characters`)
}

/** @throws AppError BAD_USER_INPUT for a name or an id that addresses something built in */
export function refuseReserved(
  { name: kind, reserved = [] }: ArtifactKind,
  given: { id: string; name: string },
): void {
  for (const attribute of ['id', 'name'] as const)
    if (reserved.includes(given[attribute].toLowerCase()))
      throw badInput(
        `${attribute}: ${given[attribute]} is reserved; choose another for this ${kind}`,
      )
}

/** @returns null for an empty one, which is the same as none @throws AppError BAD_USER_INPUT */
export function checkDescription(description: string | null | undefined): string | null {
  checkText('description', description)
  return description || null
}

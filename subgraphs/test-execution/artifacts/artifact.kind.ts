export type ArtifactKindName = 'component' | 'testcase'

/** What sets one kind of artifact apart; all else is the same for all kinds. */
export interface ArtifactKind {
  name: ArtifactKindName
  /** What people call it, in messages. */
  label: string
  idSpace: string
  /** Own field → kind of the artifact whose id it holds. */
  references: Readonly<Record<string, ArtifactKindName>>
  /** JSON Schema of its own fields, with their defaults. */
  properties: Readonly<Record<string, object>>
  required: readonly string[]
  /** Checks that a JSON Schema cannot express. @throws AppError BAD_USER_INPUT that names the field */
  check?(fields: Record<string, unknown>): void
}

/** What every artifact has, whatever its kind. */
export interface StoredArtifact {
  id: string
  name: string
  description: string | null
  revision: number
  created: Date
  updated: Date
}

/** Common attributes, then those of the kind. */
export type Artifact = StoredArtifact & Record<string, unknown>

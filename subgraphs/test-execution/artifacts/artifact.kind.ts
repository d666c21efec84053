import type { Permission } from '../../../platform/access/permissions.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { Evaluation } from '../../../runner/evaluation/evaluation.ts'

/** A JSON Schema, as far as filters and sorts need to understand it. */
export interface AttributeSchema {
  type?: string | readonly string[]
  items?: AttributeSchema
  properties?: Readonly<Record<string, AttributeSchema>>
  additionalProperties?: boolean | AttributeSchema
  /** Given by clients and never shown: no filter reaches it. */
  writeOnly?: boolean
  /** Follows from other attributes; what a client gives is replaced. */
  readOnly?: boolean
  [keyword: string]: unknown
}

/** Means of the checks of a kind. */
export interface CheckTools {
  evaluation: Evaluation
  /** Knows which addresses may be reached. */
  outbound: Pick<Outbound, 'check'>
}

/** Description of one kind of artifact; all else is the same for all kinds. */
export interface ArtifactKind {
  /** Resource name of the REST interface, and what messages call it. */
  name: string
  /** Name of its GraphQL type. */
  typeName: string
  /** Kinds that one address can name share an id space. */
  idSpace: string
  /** Own attribute that holds an id or a list of ids → the kind of what it names, or several of one id space. */
  references: Readonly<Record<string, ArtifactKind | readonly ArtifactKind[]>>
  /** JSON Schema of its own attributes, with their defaults. */
  properties: Readonly<Record<string, AttributeSchema>>
  required: readonly string[]
  /** Attributes that the product shows beside those: ignored where an artifact is sent back. */
  shown?: readonly string[]
  /** The attribute that lists secrets: their names are stored with it, their values apart and sealed. */
  secrets?: string
  /** Attributes that are sealed as a whole, each with the form of a value that is stored and shown in clear. */
  hidden?: Readonly<Record<string, (value: string) => string>>
  /** Permission to create, change and delete, besides `artifacts:write` for sets. */
  changeNeeds?: Permission
  /** Names and ids, in any case, that none may have. */
  reserved?: readonly string[]
  /** True if the events subgraph goes by it: each change is sent there. */
  isForwarded?: true
  /** Takes attributes in other forms, too. @throws AppError BAD_USER_INPUT that names the attribute */
  read?(given: Record<string, unknown>, evaluation: Evaluation): Promise<Record<string, unknown>>
  /** Checks that a JSON Schema cannot express. @throws AppError BAD_USER_INPUT that names the attribute */
  check?(fields: Record<string, unknown>, tools: CheckTools): void | Promise<void>
  /** Attributes of a change, with what it leaves as it is stored. */
  keep?(fields: Record<string, unknown>, stored: Artifact): Record<string, unknown>
  /** Attributes that follow from the others; `readOnly` ones of `properties`. They are set after the check. */
  derive?(fields: Record<string, unknown>): Record<string, unknown>
  /** Writes what belongs to an artifact, in the transaction that stores it, also unchanged. @throws AppError to refuse it */
  stored?(sql: Sql, artifact: Artifact, before: Artifact | null): Promise<void>
  /** Removes that. */
  removed?(sql: Sql, id: string): Promise<void>
}

/** Attributes of every artifact, whatever its kind. */
export interface StoredArtifact {
  id: string
  name: string
  description: string | null
  revision: number
  created: Date
  updated: Date
  /** The user who stored it last; null without a sign-in. */
  updatedBy: string | null
}

/** Common attributes, then those of the kind. */
export type Artifact = StoredArtifact & Record<string, unknown>

/** Attributes that people set: an artifact can be read and sent back. */
export function attributesOf(artifact: Artifact) {
  const { revision: _, created: __, updated: ___, updatedBy: ____, ...attributes } = artifact
  return attributes
}

/** Name of a secret → its sealed value. */
export type SealedValues = Readonly<Record<string, string>>

import { badInput } from '../../../../formats/errors.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { type Attribute, attributeOf, typesOf } from './attributes.ts'

export interface SortRequest {
  attribute: string
  direction: 'ASC' | 'DESC'
}

/** One key of an order. Absent values come last in an ascending order and first in a descending one. */
export interface SortKey {
  attribute: Attribute
  /** Comparison of its values; lists and objects as JSON. */
  type: 'text' | 'number' | 'time' | 'boolean' | 'json'
  nullable: boolean
  isDescending: boolean
}

const MAX_SORTS = 16

/**
 * An order without ties: its last key is the id.
 * @throws AppError BAD_USER_INPUT that names an attribute that the kind does not have
 */
export function readSort(kind: ArtifactKind, requests: readonly SortRequest[]): SortKey[] {
  if (requests.length > MAX_SORTS) throw badInput(`sort: expected at most ${MAX_SORTS} attributes`)
  const keys = new Map<string, SortKey>()
  for (const { attribute: name, direction } of [...requests, BY_ID])
    if (!keys.has(name)) {
      const attribute = attributeOf(kind, name, `sort.${name}`)
      keys.set(name, { attribute, ...comparison(attribute), isDescending: direction === 'DESC' })
    }
  return [...keys.values()]
}

/** The same order from its end. */
export const reversed = (keys: readonly SortKey[]): SortKey[] =>
  keys.map((key) => ({ ...key, isDescending: !key.isDescending }))

const BY_ID: SortRequest = { attribute: 'id', direction: 'ASC' }

function comparison(attribute: Attribute): Pick<SortKey, 'type' | 'nullable'> {
  // Readers see an absent text as an empty one.
  if (attribute.column !== null) return { type: attribute.type, nullable: false }
  const { schema } = attribute
  const [type = '', ...others] = schema.type === 'array' ? [] : typesOf(schema)
  return { type: (others.length === 0 && COMPARED_AS[type]) || 'json', nullable: true }
}

const COMPARED_AS: Readonly<Record<string, SortKey['type']>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

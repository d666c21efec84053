import { badInput } from '../../../../formats/errors.ts'
import { isDatabaseText } from '../../../../platform/database/database-text.ts'
import type { Artifact } from '../artifact.kind.ts'
import { isInstant } from './instant.ts'
import type { SortKey } from './sort.ts'

/** Value of an artifact that an order compares; JSON as its text. */
export type SortValue = string | number | boolean | null

/** The place of an artifact in an order: what the order compares, so that the place outlives the artifact. */
export function cursorOf(keys: readonly SortKey[], artifact: Artifact): string {
  const values = keys.map(({ attribute, type, nullable }): unknown => {
    const value = artifact[attribute.column ?? attribute.name] ?? (nullable ? null : '')
    return type === 'json' && value !== null ? JSON.stringify(value) : value
  })
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** @throws AppError BAD_USER_INPUT for a cursor of another order */
export function readCursor(keys: readonly SortKey[], cursor: string): SortValue[] {
  const values = parsed(Buffer.from(cursor, 'base64url').toString())
  if (
    Array.isArray(values) &&
    values.length === keys.length &&
    keys.every((key, index) => fits(key, values[index]))
  )
    return values
  throw badInput('The cursor does not belong to this list in this order')
}

function fits({ type, nullable }: SortKey, value: unknown): boolean {
  if (value === null) return nullable
  if (type === 'number' || type === 'boolean') return typeof value === type
  if (typeof value !== 'string' || !isDatabaseText(value)) return false
  if (type === 'time') return isInstant(value)
  return type === 'text' || isCanonicalJson(value)
}

/** Only what `cursorOf` writes: a database can hold less than every JSON text says. */
function isCanonicalJson(text: string): boolean {
  const value = parsed(text)
  return value !== undefined && JSON.stringify(value) === text && !/\\u(0000|d[89a-f])/i.test(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

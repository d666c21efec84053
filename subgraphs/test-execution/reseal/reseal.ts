import type { ClientBase } from 'pg'
import type { Secrets } from '../../../platform/secrets.ts'
import {
  replaceSealed,
  SEALED_COLUMNS,
  type Sealed,
  type SealedColumn,
  sealedRows,
} from './sealed-columns.repository.ts'

/** Counts of the sealed rows of one column. */
export interface ResealCounts {
  column: string
  resealed: number
  /** Sealed with the present key already. */
  current: number
  /** Changed by the product meanwhile: another pass looks at them. */
  changed: number
  /** Rows that no key opens, and why. */
  unreadable: { key: string; reason: string }[]
}

/**
 * Seals all that is stored with the present key. Each row is an update of its own that requires what was read, so it may
 * run beside the product, end at any point and be run again.
 */
export async function reseal(client: ClientBase, secrets: Secrets): Promise<ResealCounts[]> {
  const counts: ResealCounts[] = []
  for (const column of SEALED_COLUMNS) counts.push(await resealColumn(client, column, secrets))
  return counts
}

async function resealColumn(
  client: ClientBase,
  column: SealedColumn,
  secrets: Secrets,
): Promise<ResealCounts> {
  const counts: ResealCounts = {
    ...{ column: column.name, resealed: 0, current: 0, changed: 0, unreadable: [] },
  }
  const fresh = (text: string): string => {
    if (secrets.isCurrent(text)) return text
    return secrets.seal(column.mayBeClear && text.includes(':') ? text : secrets.open(text))
  }
  for await (const row of sealedRows(client, column)) {
    try {
      const sealed = mapSealed(row.sealed, fresh)
      if (JSON.stringify(sealed) === JSON.stringify(row.sealed)) counts.current++
      else if (await replaceSealed(client, column, row, sealed)) counts.resealed++
      else counts.changed++
    } catch (error) {
      if (isOfDatabase(error)) throw error
      counts.unreadable.push({ key: row.key.join(' '), reason: String(error) })
    }
  }
  return counts
}

const mapSealed = (sealed: Sealed, change: (text: string) => string): Sealed =>
  typeof sealed === 'string'
    ? change(sealed)
    : Object.fromEntries(Object.entries(sealed).map(([name, text]) => [name, change(text)]))

/** PostgreSQL and the connection give their errors a code. */
const isOfDatabase = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error

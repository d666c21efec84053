import { hash } from 'node:crypto'
import type { ExecutionResultFilter } from '../list/list.args.ts'

/**
 * The id of a cause as one list shows it: its counts are those of the list, and caches of clients keep one object for
 * each type and id. Over all executions it is that of the cause.
 */
export function listedCauseId(causeId: string, filter: ExecutionResultFilter): string {
  const conditions = Object.entries(filter).filter(([, value]) => value != null)
  if (conditions.length === 0) return causeId
  const list = hash('sha256', JSON.stringify(conditions.sort()), 'base64url').slice(0, 11)
  return `${causeId}.${list}`
}

/** The id of a cause from that in a list. */
export const causeIdOf = (id: string): string => id.replace(/\..*/s, '')

import { PREVIOUS_KEY } from '../../../platform/secrets.ts'
import type { ResealResult, Unreadable } from './passes.ts'

/** Rows of one column and reason that are named by their keys. */
const NAMED = 5

/** Conclusion of a run, for the terminal. */
export function conclusionOf({ isDone, unreadable }: ResealResult): string {
  if (!isDone)
    return 'Not all is sealed with the present key: keep the previous one and run this again\n'
  if (unreadable.length === 0)
    return 'All is sealed with the present key: the previous key can go\n'
  const alike = Map.groupBy(unreadable, ({ column, reason }) => `${column}\n${reason}`)
  const lines = Array.from(alike.values(), lineOf).join('')
  return `All but ${unreadable.length} are sealed with the present key. These cannot be read; set the key that sealed them as ${PREVIOUS_KEY}, or enter them again:\n${lines}`
}

/** @param rows of one column and reason */
function lineOf(rows: readonly Unreadable[]): string {
  const [{ column = '', reason = '' } = {}] = rows
  const keys = rows.slice(0, NAMED).map(({ key }) => key)
  const others = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : ''
  return `  ${column}, ${keys.join(', ')}${others}: ${reason}\n`
}
